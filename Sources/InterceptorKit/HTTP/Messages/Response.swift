#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// An HTTP response, with a complete head and a body that may still arrive.
    public struct Response: Sendable, AttemptHistory, FallbackReporting {
        private struct Fields {
            var status: Status
            var headers: Headers
            var body: Body
            var request: Request?
            var attempts: [Attempt] = []
            var redirects: [Redirect] = []
            var fallbackReason: String?
            var cacheStatus: CacheStatus?
            var envelope: HTTP.ResponseEnvelope?
            var date: Date?
            var stopped: RedirectStep?
            var onDecodingFailure: (@Sendable (_ error: any Error) -> any Error)?
        }

        // One reference, because each interceptor keeps responses across its suspensions, and passes them on.
        //
        // Invariant behind `@unchecked Sendable`: changed only by a response that is the only one to have it.
        private final class Storage: @unchecked Sendable {
            var fields: Fields

            init(_ fields: Fields) { self.fields = fields }
        }

        private var storage: Storage

        private var fields: Fields {
            get { storage.fields }
            _modify {
                if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
                yield &storage.fields
            }
        }

        /// The status.
        public var status: Status {
            get { storage.fields.status }
            set { fields.status = newValue }
        }

        /// The header fields.
        public var headers: Headers {
            get { storage.fields.headers }
            _modify { yield &fields.headers }
        }

        /// The body, which can be read once.
        public var body: Body {
            get { storage.fields.body }
            set { fields.body = newValue }
        }

        /// The request as it was sent, after every interceptor; `nil` for a response without one.
        public var request: Request? {
            get { storage.fields.request }
            _modify { yield &fields.request }
        }

        /// All attempts, including the first; empty for a stored response and a fallback.
        public var attempts: [Attempt] {
            get {
                let recorded = storage.fields.attempts
                let isSent = cacheStatus != .hit && cacheStatus != .stale && fallbackReason == nil
                guard recorded.isEmpty, isSent else { return recorded }
                let reason = status.code < 400 ? "success" : status.description
                return [Attempt(number: 1, reason: reason)]
            }
            set { fields.attempts = newValue }
        }

        /// The redirects that were followed, in order.
        public var redirects: [Redirect] {
            get { storage.fields.redirects }
            _modify { yield &fields.redirects }
        }

        /// The reason for a fallback; `nil` for a response from the server.
        public var fallbackReason: String? {
            get { storage.fields.fallbackReason }
            set { fields.fallbackReason = newValue }
        }

        /// The use of a cache for this response; `nil` if there was no cache.
        public var cacheStatus: CacheStatus? {
            get { storage.fields.cacheStatus }
            set { fields.cacheStatus = newValue }
        }

        /// The envelope in which ``decode(_:using:upTo:)`` and ``HTTP/ResponseDecoder/json`` find the content. The
        /// client and an error filter set it; `nil`, the default, means the whole body.
        public var envelope: HTTP.ResponseEnvelope? {
            get { storage.fields.envelope }
            set { if newValue != nil || envelope != nil { fields.envelope = newValue } }
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
            get { storage.fields.stopped }
            set { if newValue != nil || stopped != nil { fields.stopped = newValue } }
        }

        /// A closure that maps the errors of ``decode(_:using:upTo:)``, of ``text(repairing:upTo:)``, and of reading the body's
        /// events. An error filter sets it. It never gets a `CancellationError`.
        public var onDecodingFailure: (@Sendable (_ error: any Error) -> any Error)? {
            get { storage.fields.onDecodingFailure }
            set { fields.onDecodingFailure = newValue }
        }

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
            storage = Storage(
                Fields(status: status, headers: headers, body: body, request: request)
            )
        }

        /// The time that the server asked to wait (`Retry-After`), by the clock of the client that returned the
        /// response; `nil` if it asked for none. Without a client, as in an interceptor, a date in the field is
        /// ignored: use ``Headers/retryAfter(date:)`` there.
        public var retryAfter: Duration? { headers.retryAfter(asOf: storage.fields.date) }

        /// Keeps the current date if there is a `Retry-After` field, which may have a date to compare.
        mutating func noteDate(of runtime: Runtime) {
            guard headers.contains("Retry-After") else { return }
            fields.date = runtime.date
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

extension HTTP.Response: CustomReflectable {
    /// The parts of the response, of which each hides its secrets.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "status": status, "headers": headers, "body": body, "request": request as Any,
            "attempts": attempts, "redirects": redirects, "fallbackReason": fallbackReason as Any,
            "cacheStatus": cacheStatus as Any,
        ]
        return Mirror(self, children: children)
    }
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
