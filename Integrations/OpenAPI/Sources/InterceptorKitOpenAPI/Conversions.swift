import Foundation
import HTTPTypes
import InterceptorKit
import InterceptorKitHTTPTypes
import OpenAPIRuntime

extension HTTP.Request {
    /// The request of an operation: the server's URL with the operation's path behind it.
    init(_ request: HTTPRequest, body: HTTPBody?, baseURL: URL) throws {
        let path = HTTP.URL(received: request.path ?? "/")
        self.init(
            HTTP.Method(request.method),
            path.joined(to: HTTP.URL(received: baseURL.absoluteString)),
            headers: try HTTP.Headers(request.headerFields),
            body: HTTP.Body(body)
        )
    }
}

extension HTTP.Response {
    var forGeneratedCode: (HTTPResponse, HTTPBody?) {
        get throws {
            let head = try HTTPResponse(self)
            if let stream = body.takeUnreadStream(as: ResponseBodyStream.self) {
                return (head, stream.body)
            }
            return (head, body.isEmpty ? nil : HTTPBody(body))
        }
    }
}

extension HTTP.Body {
    init(_ body: HTTPBody?) {
        guard let body else {
            self = .empty
            return
        }
        var length: Int?
        if case .known(let known) = body.length { length = Int(clamping: known) }
        switch body.iterationBehavior {
        case .single: self = .oneShot(length: length, Chunks(body: body))
        case .multiple: self = .replayable(length: length) { Chunks(body: body) }
        }
    }
}

extension HTTPBody {
    convenience init(_ body: HTTP.Body) {
        self.init(
            body,
            length: body.length.map { .known(Int64($0)) } ?? .unknown,
            iterationBehavior: body.isReplayable ? .multiple : .single
        )
    }
}

/// The chunks of a generated client's body.
private struct Chunks: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: HTTPBody.AsyncIterator

        mutating func next() async throws -> Data? { try await chunks.next().map { Data($0) } }
    }

    let body: HTTPBody

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: body.makeAsyncIterator()) }
}

extension HTTP.URL {
    /// The server's URL and the operation's path, which interceptors may have changed.
    func split(at baseURL: URL) -> (URL, path: String) {
        let base = HTTP.URL(received: baseURL.absoluteString)
        guard let origin else { return (baseURL, text) }
        var prefix = base.path
        while prefix.hasSuffix("/") { prefix.removeLast() }
        if base.origin == origin, base.query == nil, requestTarget.hasPrefix(prefix + "/") {
            return (baseURL, String(requestTarget.dropFirst(prefix.count)))
        }
        return (URL(string: "\(origin)") ?? baseURL, requestTarget)
    }
}
