import Expectations
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitFaults

@Suite("TruncatedStream")
struct TruncatedStreamTests {
    @Test(
        "ends with a lost connection after so many bytes, within a chunk or not",
        arguments: [
            (0, []), (2, ["ab"]), (3, ["abc"]), (5, ["abc", "de"]), (6, ["abc", "def"]),
            (9, ["abc", "def"]),
        ] as [(Int, [String])]
    )
    func cuts(count: Int, chunks: [String]) async {
        let base = ChunkedStream("abc", "def")
        let stream = TruncatedStream(.oneShot(base), after: count)

        let (seen, error) = await outcome(of: stream)

        expectEqual(seen, chunks)
        expectEqual((error as? TransportError)?.code, .connectionLost)
        expectEqual((error as? TransportError)?.isUnsent, false)
    }

    @Test("releases what it doesn't deliver, and when it is cancelled")
    func letsGo() async throws {
        let cut = ChunkedStream("abc", "def")
        let cancelled = ChunkedStream("abc", "def")

        _ = await outcome(of: TruncatedStream(.oneShot(cut), after: 1))
        let stream = TruncatedStream(.oneShot(cancelled), after: 5)
        _ = try await stream.next()
        let before = cancelled.cancels
        stream.cancel()

        expectEqual(cut.cancels, 1)
        expectEqual(before, 0)
        expectEqual(cancelled.cancels, 1)
    }
}
