import InterceptorKit
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

typealias RecordingScript = ScriptedTransport<HTTP.Request>

func get(_ path: String) -> HTTP.Request { .get(.init(unvalidated: "https://a.example" + path)) }

/// A body that comes in parts, and may break off.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var rest: [String]
    var error: TransportError?
    func makeAsyncIterator() -> Chunks { self }
    mutating func next() async throws -> Data? {
        guard rest.isEmpty else { return Data(rest.removeFirst().utf8) }
        if let error { throw error }
        return nil
    }
}
