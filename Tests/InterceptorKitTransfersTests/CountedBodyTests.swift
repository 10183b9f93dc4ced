import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A counted body")
struct CountedBodyTests {
    private let seen = Recorder<Int>()

    @Test("counts again each time it is read from its beginning")
    func anew() async throws {
        let body = HTTP.Body.replayable { FaultyStream(Data("0123456789".utf8), nil) }
            .counted { [seen] in seen.note($0) }

        _ = try await body.collect()
        _ = try await body.collect()

        expectEqual(seen.entries, [4, 8, 10, 4, 8, 10])
    }

    @Test("leaves bytes and files as they are, uncounted")
    func untouched() async throws {
        let bytes = HTTP.Body.bytes(Data("ab".utf8)).counted { [seen] in seen.note($0) }
        let file = HTTP.Body.file("/nowhere").counted { [seen] in seen.note($0) }

        _ = try await bytes.collect()

        expectEqual(bytes.inMemory, Data("ab".utf8))
        expectEqual(file.file?.path, "/nowhere")
        expectTrue(seen.entries.isEmpty)
    }

    @Test("hands a cancellation on to its stream")
    func cancelled() async throws {
        let source = CountingStream(chunks: 10)
        let stream = HTTP.Body.oneShot(source).counted { [seen] in seen.note($0) }.stream()

        _ = try await stream.next()
        stream.cancel()

        expectEqual(source.cancels, 1)
        expectEqual(seen.entries, [1024])
    }
}
