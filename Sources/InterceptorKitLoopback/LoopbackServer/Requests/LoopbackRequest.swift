public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackServer {
    /// A complete request as it arrived.
    public struct Request: Sendable {
        /// The method.
        public let method: HTTP.Method
        /// The target as received, as in `/orders?page=2`.
        public let target: String
        /// The target's path, as encoded and without the query.
        public let path: String
        /// The target's query without its `?`, as encoded; `nil` if there is none.
        public let query: String?
        /// The requested URL, as in `http://127.0.0.1:8080/orders?page=2`: the target with the ``headers``' `Host`;
        /// without one, the target alone.
        public let url: HTTP.URL
        /// The version, `1.1` or `1.0`.
        public let version: String
        /// The header fields in order, as spelled.
        public let headers: HTTP.Headers
        /// The body, without chunk framing.
        public let body: Data
        /// The fields after a chunked body.
        public let trailers: HTTP.Headers
        /// The sizes of the body's chunks as they were sent; empty for a body with a known length.
        public let chunkSizes: [Int]
        /// The bytes of the request line and the header fields, up to and including the empty line.
        public let rawHead: Data
        /// The number of its connection, from 1.
        public let connection: Int
        /// The number of the request on this server, from 1.
        public let number: Int

        /// The body as UTF-8 text, with replacements for invalid bytes.
        public var text: String { String(decoding: body, as: UTF8.self) }

        init(_ parsed: ParsedRequest, connection: Int, number: Int) {
            method = parsed.head.method
            target = parsed.head.target
            path = parsed.head.path
            query = parsed.head.query
            url = parsed.head.url
            version = parsed.head.isVersion11 ? "1.1" : "1.0"
            headers = parsed.head.headers
            body = parsed.body
            trailers = parsed.trailers
            chunkSizes = parsed.chunkSizes
            rawHead = parsed.rawHead
            self.connection = connection
            self.number = number
        }
    }
}

extension LoopbackServer.Request: CustomStringConvertible {
    /// The request as text, as in `#3 GET /orders on connection 1`, without query and fields, which may be secret.
    public var description: String { "#\(number) \(method) \(path) on connection \(connection)" }
}

extension LoopbackServer.Request: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
