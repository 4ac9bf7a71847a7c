import ProgramModel
import Testing

@testable import ObjectiveCFrontEnd

/// What messages, properties and literals are lowered to.
@Suite struct MessageFactsTests {
    /// The dumped statements of a method with this code.
    private func statements(_ code: String, before: String = "", path: String = "/inline/File.m") -> [String] {
        let dump = FrontEnd.dump(
            "\(before)\n@interface Base : NSObject\n@property (nonatomic) NSArray *list;\n@end\n@interface A : Base @end\n@implementation A\n- (void)run:(id)a {\n\(code)\n}\n@end", path: path)
        let lines = dump.split(separator: "\n").map { $0.drop { $0 == " " } }
        let start = lines.firstIndex { $0.hasPrefix("@objc(run:)") } ?? lines.startIndex
        return lines[start...].dropFirst().map { line in line.range(of: "  @").map { String(line[..<$0.lowerBound]) } ?? String(line) }
    }

    /// Nobody declares these methods, and some stand where the tokens alone do not tell messages from subscripts.
    @Test func noCallHasAnEmptyName() {
        #expect(statements("[[[a b] c] d];") == ["%0 = read a#0", "%1 = call %0.b()", "%2 = call %1.c()", "%3 = call %2.d()"])
        #expect(statements("NSArray *x = @[[[Thing alloc] initWithName:a]];").dropFirst() == ["%1 = call init Thing(name: %0)", "%2 = array(%1)", "var x#1: Array? = %2"])
        #expect(statements("SAY(a); STOP; [self go:a :a];", before: "#define SAY(x) [self say:x twice:YES]\n#define STOP [self stop]") == [
            "%0 = read a#0", "%1 = call self.say(%0, twice: true)", "%2 = call self.stop()", "%3 = read a#0", "%4 = read a#0", "%5 = call self.go(%3, %4)",
        ])
        #expect(statements("MARK(a)\n[self go];", before: "#define MARK(x)") == ["%0 = call self.go()"])
    }

    @Test func superIsRecognisedInMacros() {
        #expect(statements("UP", before: "#define UP [super run:[[Base alloc] init]];") == ["%0 = call init Base()", "%1 = call super.run(%0)"])
    }

    /// The smallest number has no opposite that an integer could hold.
    @Test func theSmallestNumberIsNotTurnedRound() {
        #expect(statements("long long x = -9223372036854775808U;") == ["%0 = prefix -(-9223372036854775808)", "var x#1: long long = %0"])
    }

    @Test func literalsAreMadeOnce() {
        #expect(statements("NSArray *x = @[@\"a\"]; NSDictionary *y = @{ @\"k\": UnknownConstant };") == [
            "%0 = array(\"a\")", "var x#1: Array? = %0", "%1 = dictionary(\"k\", .UnknownConstant)", "var y#2: NSDictionary? = %1",
        ])
    }

    /// What an object is told by a key is no element of it.
    @Test func onlyCollectionsHaveElements() {
        #expect(statements("NSUserDefaults *d = a; [d setObject:@1 forKey:@\"k\"]; [d objectForKey:@\"k\"]; [a setValue:@1 forKey:@\"k\"];").dropFirst(2) == [
            "%1 = read d#1", "%2 = call %1.setObject(1, forKey: \"k\")", "%3 = read d#1", "%4 = call %3.objectForKey(\"k\")", "%5 = read a#0",
            "%6 = call %5.setValue(1, forKey: \"k\")",
        ])
        #expect(statements("NSMutableDictionary *d = a; [d setValue:@1 forKey:@\"k\"]; [d objectForKey:@\"k\"];").dropFirst(2) == [
            "%1 = read d#1", "write %1[\"k\"] = 1", "%2 = read d#1", "%3 = read %2[\"k\"]",
        ])
        #expect(statements("[self.list firstObject]; self.list.lastObject;") == ["%0 = read self.list", "%1 = read %0.first", "%2 = read self.list", "%3 = read %2.last"])
    }

    @Test(arguments: [
        ("[NSArray arrayWithArray:self.list]", "%0 = read self.list"), ("[[NSMutableArray alloc] initWithArray:self.list]", "%0 = read self.list"),
        ("[NSMutableSet setWithObjects:@1, @2, nil]", "%0 = array(1, 2)"), ("[NSDictionary dictionaryWithObjectsAndKeys:@1, @\"a\", @2, @\"b\", nil]", "%0 = dictionary(\"a\", 1, \"b\", 2)"),
        ("[NSMutableArray arrayWithCapacity:4]", "%0 = array()"), ("[NSArray arrayWithContentsOfFile:@\"f\"]", "%0 = call init NSArray(contentsOfFile: \"f\")"),
    ]) func collectionsAreMadeOfTheirElements(_ pair: (code: String, statement: String)) {
        #expect(statements("\(pair.code);") == [pair.statement])
    }

    /// A dot after a message with arguments says nothing of the words in the last of them.
    @Test func whatAnArgumentReadsKeepsItsType() {
        #expect(statements("Path *p = a; p.cg = [Path pathWithRect:self.bounds].CGPath; self.bounds.size;").suffix(2) == ["%5 = read self.bounds", "%6 = read %5.size"])
    }

    @Test func dotsSendMessages() {
        #expect(statements("[self.class make]; [Base.class make]; [a copy].go;").prefix(2) == ["%0 = call type Self.make()", "%1 = call type Base.make()"])
    }

    @Test func structuresAreCopiedInPlusPlus() {
        let copy = statements("NSRange range; NSRange other = range; other.length = [a unknown]; CGRect frame = self.missing;", path: "/inline/File.mm")
        #expect(copy == [
            "var range#1: NSRange", "%0 = read range#1", "var other#2: NSRange = %0", "%1 = read other#2", "%2 = read a#0", "%3 = call %2.unknown()", "write %1.length = %3",
            "%4 = read self.missing", "var frame#3: CGRect = %4",
        ])
    }

    /// A dot before a name that only a setter has sends the setter.
    @Test func settersWithoutPropertiesAreCalled() {
        let facts = FrontEnd.facts("@interface A : NSObject\n@property id other;\n- (void)setTimer:(id)timer;\n@end\n@implementation A\n- (void)go:(id)a { self.timer = a; self.other = a; }\n@end")
        let go = facts.types.flatMap(\.members).first { $0.baseName == "go" && $0.body != nil }
        var written: [String] = []
        go?.body?.block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call): written.append("call \(call.callee.baseName ?? "")")
            case .write(.member(_, let name), _): written.append("write \(name)")
            default: break
            }
        }
        #expect(written == ["call setTimer", "write other"])
    }

    @Test func allocationMayBeWrittenWithADot() {
        #expect(statements("id b = [Base.alloc initWithName:a]; id c = Base.alloc.init; id d = UIView.new;").filter { $0.contains("call") } == [
            "%1 = call init Base(name: %0)", "%2 = call init Base()", "%3 = call init UIView()",
        ])
    }

    /// In C++ a condition can declare what it tests, and do something before.
    @Test func conditionsDeclareVariablesInPlusPlus() {
        let taken = statements("if (id b = [a first]) [b go]; else [a stop];", path: "/inline/File.mm")
        #expect(taken == ["if when", "%0 = read a#0", "%1 = call %0.first()", "var b#1 = %1", "%2 = read b#1", "%2 != nil {", "%3 = read b#1", "%4 = call %3.go()", "} else {", "%5 = read a#0", "%6 = call %5.stop()", "}"])
        let before = statements("if (id b = [a first]; [b isReady]) [b go];", path: "/inline/File.mm")
        #expect(before.contains("var b#1 = %1") && before.contains { $0.contains("isReady") } && before.last == "}")
        #expect(statements("while (id b = [a next]) [b go];", path: "/inline/File.mm").contains("var b#1 = %1"))
        #expect(statements("switch (int b = [a next]) { case 1: [a go]; }", path: "/inline/File.mm").contains { $0.hasPrefix("switch") })
    }

    @Test func assignmentsWithoutATypeAreWrites() {
        #expect(statements("CGPoint p; p.x = [a width]; p.y += [a height];").filter { $0.hasPrefix("write") } == ["write %0.x = %2", "write %3.y = %7"])
    }

    /// What is not declared gives a number as well as an object.
    @Test func unknownConditionsAreNotTestedForNil() {
        #expect(statements("if ([a isReady] && ![a isDone] && [a objectForKey:@1]) [self go];").filter { $0.hasPrefix("%1 ") || $0.contains("prefix") || $0.contains("nil") } == [
            "%1 = call %0.isReady()", "%4 = prefix !(%3)", "%6 != nil {",
        ])
        #expect(statements("id b = [self list] ?: a;").filter { $0.contains("list") } == ["%0 = read self.list"])
    }

    @Test func unusedParametersLoseNothing() {
        let facts = FrontEnd.facts("@implementation A\n- (void)go:(__unused id)a with:(id)b { [b each:^(id __unused c, id d) { [d stop]; }]; }\n@end")
        #expect(facts.types.flatMap(\.members).first?.parameters.map(\.name) == ["a", "b"])
        #expect(facts.lostMessageCount == 0 && facts.messageCount == 2)
    }

    @Test func anImplementationMayBeNamedByAMacro() {
        #expect(FrontEnd.facts("#define NAME Named\n@implementation NAME\n- (void)go {}\n@end").types.map(\.name) == ["Named"])
    }
}

/// What libclang drops, and what is made up so that it does not.
@Suite struct LostMessageTests {
    /// A lost message stands where it stood, before the way out that follows it.
    @Test func lostMessagesStandInTheirPlace() {
        let dump = FrontEnd.dump("""
            @implementation A
            - (NSInteger)run {
                [self first];
                if (self.list) {
                    self.kind = [self lost:(struct Nothing)x];
                    return 1;
                }
                switch (self.kind) { case 1: [self lost:(struct Nothing)x]; break; default: [self second]; }
                return 2;
            }
            @end
            """)
        let order = dump.split(separator: "\n").compactMap { line in ["first", "lost message", "second", "return 1", "return 2", "break"].first { line.contains($0) } }
        #expect(order == ["first", "lost message", "return 1", "lost message", "break", "second", "return 2"])
        #expect(dump.contains("writes [\"Nothing\", \"kind\""))
    }

    @Test(arguments: [
        "[self each:^(Foo *x, NSError *e) { [x go]; }];", "[self each:^(NSError *e, Foo *x) { [x go]; }];", "for (Foo *x in self.list) { [x go]; }",
        "NSArray *x = @[FOO, Bar, kBaz]; [self go];", "Foo *x = (Foo *)[self make]; x.name = @\"a\";",
        "[self go:NSDate.date]; [self go:Known.shared];", "NSString *x = [NSString stringWithFormat:@\"%\" PRIx64, 1ll];",
        "self.list = @[aFirst, kSecond, THIRD, Fourth, kFifth]; [self go];", "double x = self.shift.amount + 1.0; [self.shift go];", "Known *x = [self make]; x.name = @\"a\";",
    ]) func whatIsUnknownIsMadeUp(_ code: String) {
        let facts = FrontEnd.facts("@class Known;\n@interface A : NSObject @end\n@implementation A\n- (void)run { \(code) }\n@end")
        #expect(facts.lostMessageCount == 0 && facts.messageCount > 0)
        #expect(!FactsPrinter.print(facts).contains("opaque"))
    }
}
