/// The macros by which texts ask for versions of a system and its SDK.
///
/// Apple's `Availability.h` and `AvailabilityVersions.h` define one for each version that there was, `__IPHONE_8_0` and `__MAC_10_10`; texts
/// ask whether one is there to know whether the SDK is that new. Which system is built for, the presence of its least version tells.
enum AvailabilityMacros {
    /// The macros of all systems, as a header.
    static let text = (
        ["#define __IPHONE_OS_VERSION_MIN_REQUIRED 150000", "#define __IPHONE_OS_VERSION_MAX_ALLOWED 260000", "#define __TV_OS_VERSION_MAX_ALLOWED 260000"]
            + phones.flatMap { major, last in (0...last).map { "#define __IPHONE_\(major)_\($0) \(major * 10000 + $0 * 100)" } }
            + macs.flatMap { name, value in ["#define __MAC_\(name) \(value)", "#define MAC_OS_X_VERSION_\(name) \(value)", "#define MAC_OS_VERSION_\(name) \(value)"] }
            + ["#define MAC_OS_X_VERSION_MIN_REQUIRED 120000", "#define MAC_OS_X_VERSION_MAX_ALLOWED 260000"]
    ).joined(separator: "\n")

    /// What is otherwise in a text for macOS alone.
    static let textForMac = """
        #undef __IPHONE_OS_VERSION_MIN_REQUIRED
        #undef __IPHONE_OS_VERSION_MAX_ALLOWED
        #define __MAC_OS_X_VERSION_MIN_REQUIRED 120000
        #define __MAC_OS_X_VERSION_MAX_ALLOWED 260000
        """

    /// The major versions of iOS, each with its last minor one.
    private static let phones = [
        (2, 2), (3, 2), (4, 3), (5, 1), (6, 1), (7, 1), (8, 4), (9, 3), (10, 3), (11, 4), (12, 4), (13, 7), (14, 8), (15, 8), (16, 7), (17, 7), (18, 5), (26, 0),
    ]

    /// The versions of macOS as their macros name them, with the number that they stand for: four digits before 10.10.
    private static let macs = (0...15).map { ("10_\($0)", $0 < 10 ? 1000 + $0 * 10 : 100_000 + $0 * 100) } + ([11, 12, 13, 14, 15, 26].map { ("\($0)_0", $0 * 10000) })
}
