import Expectations
import InterceptorKit
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitAWS

private let readers = [
    ScaleReader("config file", from: "[default]\na = b\n") { _ = try? ConfigFile($0) },
    ScaleReader("XML") { _ = XMLTexts($0)["Code"] },
    ScaleReader("XML text", from: "<Code>", to: "</Code>") { _ = XMLTexts($0)["Code"] },
    ScaleReader("words of a command") { _ = ShellWords.split($0) },
]

@Suite("A file of 64 KiB", .tags(.slow), .serializedAcrossSuites)
struct FileScaleTests {
    @Test("is read in a time that grows with its length alone", arguments: readers.indices)
    func scale(index: Int) async throws {
        try await expectEqual(readers[index].worseThanLinear(), [])
    }
}
