import Expectations
import InterceptorKit
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitOperations

private let readers = [
    ScaleReader("Link") { _ = LinkField.all(in: HTTP.Headers([("Link", $0)])) },
    ScaleReader("Link's parameters", from: "<a>; ") {
        _ = LinkField.all(in: HTTP.Headers([("Link", $0)]))
    },
]

@Suite("A Link field of 64 KiB", .tags(.slow), .serializedAcrossSuites)
struct LinkScaleTests {
    @Test("is read in a time that grows with its length alone", arguments: readers.indices)
    func scale(index: Int) async throws {
        try await expectEqual(readers[index].worseThanLinear(), [])
    }
}
