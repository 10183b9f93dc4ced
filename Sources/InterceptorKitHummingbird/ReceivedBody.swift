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

/// A request's content as it arrives, read at the pace of its reader.
final class ReceivedBody: HTTP.BodyStream, @unchecked Sendable {
    /// The original body, which the handler gets if nobody has read from this one.
    let original: RequestBody

    // Invariant behind `@unchecked Sendable`: a body lets one reader at a time call `next`, and that
    // alone touches the iterator.
    private var iterator: RequestBody.AsyncIterator?
    private let isCancelled = Lock(false)

    init(_ original: RequestBody) { self.original = original }

    /// - Parameter isFramedByFields: Whether only a field can announce content, as in HTTP/1. Otherwise this waits for
    ///   the first content or the end, so that the chain sees what a handler can read.
    static func content(of request: Request, isFramedByFields: Bool) async throws -> HTTP.Body {
        let length = request.headers[.contentLength].flatMap { Int($0) }.flatMap {
            $0 < 0 ? nil : $0
        }
        let body = HTTP.Body.oneShot(length: length, ReceivedBody(request.body))
        if request.isExpectedToHaveContent { return body }
        if isFramedByFields { return .empty }
        return try await body.peek(upTo: 1).isEmpty ? .empty : body
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
    /// Whether a field announces content, or the method usually has content.
    fileprivate var isExpectedToHaveContent: Bool {
        headers[.contentLength] != nil || headers[.transferEncoding] != nil
            || ![.get, .head, .delete, .options].contains(method)
    }
}

extension RequestBody {
    /// Converts a request's content from the chain.
    init(_ body: HTTP.Body) {
        if let data = body.inMemory {
            self.init(buffer: ByteBuffer(data: data))
        } else {
            self.init(asyncSequence: body.map { ByteBuffer(data: $0) })
        }
    }
}
#endif
