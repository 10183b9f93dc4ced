#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// An HTTP response, with a complete head and a body that may still arrive.
    public struct Response: Sendable, AttemptHistory, FallbackReporting {
        /// The status.
        public var status: Status
        /// The header fields.
        public var headers: Headers
        /// The body, which can be read once.
        public var body: Body
        /// The request as it was sent, after every interceptor; `nil` for a response without one.
        public var request: Request?
        /// All attempts, including the first; empty for a stored response and a fallback.
        public var attempts: [Attempt] {
            get {
                let isSent = cacheStatus != .hit && cacheStatus != .stale && fallbackReason == nil
                guard recorded.isEmpty, isSent else { return recorded }
                let reason = status.code < 400 ? "success" : status.description
                return [Attempt(number: 1, reason: reason)]
            }
            set { recorded = newValue }
        }

        private var recorded: [Attempt] = []
        /// The redirects that were followed, in order.
        public var redirects: [Redirect] = []
        /// The reason for a fallback; `nil` for a response from the server.
        public var fallbackReason: String?
        /// The use of a cache for this response; `nil` if there was no cache.
        public var cacheStatus: CacheStatus?
        /// The envelope in which ``decode(_:using:upTo:)`` and ``HTTP/ResponseDecoder/json`` find the content. The
        /// client and an error filter set it; `nil`, the default, means the whole body.
        public var envelope: HTTP.ResponseEnvelope? {
            get { details.envelope }
            set { if newValue != nil || box != nil { details.envelope = newValue } }
        }

        /// The request that would have followed this redirect, had the call or ``RedirectPolicy/decide`` let it.
        ///
        /// A ``RedirectInterceptor`` makes it as it makes those that it follows, also by ``RedirectPolicy/prepare``: without
        /// what another origin must not receive. `nil` for any other response, and for a redirect that the policy would
        /// refuse. Send it with ``HTTP/Client/follow(_:timeout:configure:)``: as a request of your own it would be signed,
        /// wherever it goes.
        public var nextRequest: HTTP.Request? { stopped?.request }

        /// A redirect that was not followed, with the request that would have followed it.
        var stopped: RedirectStep? {
            get { details.stopped }
            set { if newValue != nil || box != nil { details.stopped = newValue } }
        }

        private struct Details {
            var envelope: HTTP.ResponseEnvelope?
            var date: Date?
            var stopped: RedirectStep?
        }

        // Boxed, since few responses have details and all are copied.
        private final class Box: Sendable {
            let details: Details

            init(_ details: Details) { self.details = details }
        }

        private var box: Box?

        private var details: Details {
            get { box?.details ?? Details() }
            set { box = Box(newValue) }
        }
        /// A closure that maps the errors of ``decode(_:using:upTo:)``, of ``text(repairing:upTo:)``, and of reading the body's
        /// events. An error filter sets it. It never gets a `CancellationError`.
        public var onDecodingFailure: (@Sendable (_ error: any Error) -> any Error)?

        /// Creates a response.
        /// - Parameters:
        ///   - status: The status. Defaults to 200.
        ///   - headers: The header fields. Defaults to none.
        ///   - body: The body. Defaults to none.
        ///   - request: The request that the response belongs to. Defaults to none.
        public init(
            _ status: Status = 200,
            headers: Headers = [:],
            body: Body = .empty,
            request: Request? = nil
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.request = request
        }

        /// The time that the server asked to wait (`Retry-After`), by the clock of the client that returned the
        /// response; `nil` if it asked for none. Without a client, as in an interceptor, a date in the field is
        /// ignored: use ``Headers/retryAfter(date:)`` there.
        public var retryAfter: Duration? { headers.retryAfter(asOf: details.date) }

        /// Keeps the current date if there is a `Retry-After` field, which may have a date to compare.
        mutating func noteDate(of runtime: Runtime) {
            guard headers.contains("Retry-After") else { return }
            details.date = runtime.date
        }

        /// The trailer fields, once the body was read to its end: see ``Body/trailers``.
        public var trailers: Headers? { body.trailers }

        /// Decodes the body, or the content of its ``envelope``, as a JSON value. A body with neither the envelope's
        /// code nor its content is decoded as a whole.
        /// - Parameters:
        ///   - type: The type to decode.
        ///   - decoder: The JSON decoder. Defaults to a plain one.
        ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
        /// - Throws: ``DecodingFailure``; ``ContentError`` if the body is too large or was read before; or the result
        ///   of ``onDecodingFailure`` for one of them.
        @concurrent
        public func decode<Value: Decodable & Sendable>(
            _ type: Value.Type,
            using decoder: JSONDecoder = JSONDecoder(),
            upTo limit: Int = Body.defaultLimit
        ) async throws -> Value {
            try await read(as: type, upTo: limit) { try $0.content(type, of: envelope, decoder) }
        }

        /// Decodes the body as a JSON value on the caller's actor, for types that belong to it, such as all types of a
        /// module with `defaultIsolation(MainActor.self)`.
        /// - Parameters:
        ///   - type: The type to decode.
        ///   - decoder: The JSON decoder. Defaults to a plain one.
        ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
        /// - Throws: ``DecodingFailure``; ``ContentError`` if the body is too large or was read before.
        // Hidden, because links to the other overload would be ambiguous.
        @_documentation(visibility: internal)
        @_disfavoredOverload
        public nonisolated(nonsending) func decode<Value: Decodable>(
            _ type: Value.Type,
            using decoder: JSONDecoder = JSONDecoder(),
            upTo limit: Int = Body.defaultLimit
        ) async throws -> Value {
            try await read(as: type, upTo: limit) { try $0.content(type, of: envelope, decoder) }
        }

        /// Reads the body as a value, and maps all errors of doing so.
        nonisolated(nonsending) func read<Value>(
            as type: Value.Type,
            upTo limit: Int,
            _ decode: (Data) throws -> Value
        ) async throws -> Value {
            do {
                return try decode(try await body.collect(upTo: limit))
            } catch let error as CancellationError {
                throw error
            } catch {
                let failure = (error as? DecodingError).map { DecodingFailure($0, decoding: type) }
                throw onDecodingFailure?(failure ?? error) ?? failure ?? error
            }
        }
    }
}

extension HTTP.Response {
    /// Whether the `Content-Type` allows an endless body: `text/event-stream` or `multipart/x-mixed-replace`.
    /// Interceptors that read whole bodies leave such a body unread.
    public var isEndless: Bool {
        let type = headers["Content-Type"]?.lowercased() ?? ""
        return ["text/event-stream", "multipart/x-mixed-replace"].contains { type.begins(with: $0) }
    }
}

extension HTTP.Response: Discardable {
    /// Whether the body is still arriving.
    public var holdsOpen: Bool { body.isOpen }

    /// Releases the body after reading a little of it, so that the connection can be kept.
    public func discard() async { await body.discard() }
}

extension HTTP.Response: CustomStringConvertible {
    /// The status and the body's size, never its content.
    public var description: String { "\(status), \(body)" }
}

extension Outcome where Input == HTTP.Request {
    /// The response; `nil` if the attempt threw.
    public var response: HTTP.Response? { output }
}

extension HTTP {
    /// The use of a cache for a response.
    public enum CacheStatus: String, Sendable, Hashable {
        /// The response was stored, and is fresh.
        case hit
        /// The response was stored, and the server confirmed that it is still valid.
        case validated
        /// The response was stored and is no longer fresh, but was used.
        case stale
        /// The response comes from the server, because it was not in the cache.
        case miss
    }
}
