import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Four chunks of 1,000 bytes, each a second after the one before.
final class PacedStream: HTTP.BodyStream {
    private let runtime: Runtime
    private let isQuiet: Bool
    private let count = Lock(0)

    /// - Parameter isQuiet: Whether it takes cancellation for its end.
    init(_ runtime: Runtime, isQuiet: Bool = false) {
        self.runtime = runtime
        self.isQuiet = isQuiet
    }

    nonisolated(nonsending) func next() async throws -> Data? {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard number <= 4 else { return nil }
        do {
            try await runtime.sleep(for: .seconds(1))
        } catch {
            guard isQuiet else { throw error }
            return nil
        }
        return Data(count: 1000)
    }

    func cancel() {}
}

extension PacedStream {
    /// Answers everything with such a body.
    static var transport: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { _, call in
            HTTP.Response(
                headers: ["ETag": "\"1\""],
                body: .oneShot(length: 4000, PacedStream(call.runtime))
            )
        }
    }
}
