#if Hummingbird
import Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import NIOFoundationEssentialsCompat
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request's content as it arrives: read no faster than its reader asks.
final class ReceivedBody: BodyStream, @unchecked Sendable {
    /// What was received, for a handler where nobody has read of it.
    let original: RequestBody

    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that
    // alone touches the iterator.
    private var iterator: RequestBody.AsyncIterator?
    private let isCancelled = Lock(false)

    init(_ original: RequestBody) { self.original = original }

    static func content(of request: Request) -> HTTP.Body {
        guard request.mayHaveContent else { return .empty }
        let length = request.headers[.contentLength].flatMap { Int($0) }.flatMap {
            $0 < 0 ? nil : $0
        }
        return .oneShot(length: length, ReceivedBody(request.body))
    }

    func next() async throws -> Data? {
        if isCancelled.withLock(\.self) { throw CancellationError() }
        var reading = iterator ?? original.makeAsyncIterator()
        let buffer = try await reading.next()
        iterator = reading
        return buffer.map { Data(buffer: $0) }
    }

    func cancel() { isCancelled.withLock { $0 = true } }
}

extension Request {
    /// Whether there may be content. Without a length there is some in HTTP/2 alone, where these
    /// methods have none as a rule.
    var mayHaveContent: Bool {
        headers[.contentLength] != nil || headers[.transferEncoding] != nil
            || ![.get, .head, .delete, .options].contains(method)
    }
}

extension RequestBody {
    /// What the chain made of a request's content.
    init(_ body: HTTP.Body) {
        if let data = body.inMemory {
            self.init(buffer: ByteBuffer(data: data))
        } else {
            self.init(asyncSequence: body.map { ByteBuffer(data: $0) })
        }
    }
}
#endif
