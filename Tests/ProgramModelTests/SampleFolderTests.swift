import ProgramModel
import Testing

@Suite struct SampleFolderTests {
    @Test func samplesAreKnownByAWordOfTheirNames() {
        for name in ["Example", "Examples", "PagerDemo", "Demo-Swift", "DemoApp", "samples", "tabdemo", "SampleMap", "AFNetworking Example", "iOSExample2"] {
            #expect(SampleFolders.isName(name), "\(name)")
        }
        for name in ["Sources", "Democracy", "Sampler", "Resample", "Modem", "Shop", "SampledAudio", ""] {
            #expect(!SampleFolders.isName(name), "\(name)")
        }
    }

    @Test func aFileOfThatNameIsNoSample() {
        #expect(SampleFolders.contain("Examples/Shop/AppDelegate.swift"))
        #expect(!SampleFolders.contain("Sources/Example.swift"))
    }
}
