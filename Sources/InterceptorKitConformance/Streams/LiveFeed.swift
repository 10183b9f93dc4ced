import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server with one event stream that a requirement writes piece by piece.
struct LiveFeed: Sendable {
    let server: LoopbackServer
    private let source: AsyncStream<Data>.Continuation

    init(_ context: ConformanceContext) throws {
        let (chunks, source) = AsyncStream.makeStream(of: Data.self)
        self.source = source
        server = try context.server { _ in
            .status(200, headers: EventEncoding.headers, body: .oneShot(chunks))
        }
    }

    func send(_ text: String) { send(Data(text.utf8)) }

    func send(_ bytes: Data) { source.yield(bytes) }

    func end() { source.finish() }
}
