#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// A decoder that turns responses into values of a type.
    ///
    /// ```swift
    /// let orders: HTTP.ResponseDecoder<[Order]> = .json(whenEmpty: .value([])) {
    ///     $0.dateDecodingStrategy = .iso8601
    /// }
    /// ```
    ///
    /// A decoder of bodies refuses a body that is larger than the limit, of another media type, or empty where a value
    /// is needed. A response without a media type is decoded.
    ///
    /// A decoder reads away from the caller's actor, except for JSON as a type that belongs to the main actor, such as
    /// all types of a module with `defaultIsolation(MainActor.self)`: it decodes that on the main actor, for callers
    /// there alone.
    public struct ResponseDecoder<Value>: Sendable {
        /// The treatment of an empty body.
        public enum EmptyBody {
            /// Throws a ``HTTP/ContentError``.
            case refused
            /// Returns this value.
            case value(Value)
            /// Decodes the empty bytes.
            case decoded
        }

        private enum Work: Sendable {
            case anywhere(@Sendable @concurrent (Response) async throws -> sending Value)
            case onMainActor(JSONBody)
        }

        private let work: Work

        private init(_ body: JSONBody) { work = .onMainActor(body) }

        /// Creates a decoder that gets the whole response.
        /// - Parameter decode: Reads the response; its errors are thrown unchanged.
        public init(
            _ decode: @escaping @Sendable (_ response: Response) async throws -> Value
        ) where Value: Sendable {
            work = .anywhere { response in try await decode(response) }
        }

        /// Creates a decoder of bodies.
        /// - Parameters:
        ///   - mediaTypes: The accepted media types: `application/json` for one, `text/*` for all subtypes, `+json` for
        ///     all with a suffix (RFC 6839). Empty means all.
        ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
        ///   - empty: The treatment of an empty body. Defaults to refusing it.
        ///   - decode: Decodes the bytes. A `DecodingError` becomes a ``HTTP/DecodingFailure``; other errors are thrown
        ///     unchanged.
        public init(
            accepting mediaTypes: [String],
            upTo limit: Int = Body.defaultLimit,
            whenEmpty empty: EmptyBody = .refused,
            _ decode: @escaping @Sendable (_ bytes: Data) throws -> Value
        ) where Value: Sendable {
            self.init(accepting: mediaTypes, upTo: limit, whenEmpty: empty) { bytes, _ in
                try decode(bytes)
            }
        }

        fileprivate init(
            accepting mediaTypes: [String],
            upTo limit: Int,
            whenEmpty empty: EmptyBody,
            _ decode: @escaping @Sendable (Data, HTTP.ResponseEnvelope?) throws -> Value
        ) where Value: Sendable {
            work = .anywhere { response in
                let isEmpty = try await response.body.peek(upTo: 1).isEmpty
                if isEmpty, case .value(let value) = empty { return value }
                var isRefused = false
                if isEmpty, case .refused = empty { isRefused = true }
                let bytes = try await response.bytes(
                    for: Value.self,
                    accepting: isEmpty ? [] : mediaTypes,
                    isRefused: isRefused,
                    upTo: limit
                )
                do {
                    return try decode(bytes, response.envelope)
                } catch let error as DecodingError {
                    throw DecodingFailure(error, decoding: Value.self)
                }
            }
        }

        /// Reads a response.
        /// - Throws: ``HTTP/DecodingFailure`` that names the type and the place; ``HTTP/ContentError`` if the body is
        ///   empty, too large or was read before, or has another media type; the errors of your own decoder; or the
        ///   result of ``HTTP/Response/onDecodingFailure`` for any of them.
        public nonisolated(nonsending) func decode(_ response: Response) async throws -> Value {
            do {
                switch work {
                case .anywhere(let work): return try await work(response)
                case .onMainActor(let body):
                    return try await body.read(Value.self, from: response)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                throw response.onDecodingFailure?(error) ?? error
            }
        }
    }
}

extension HTTP.ResponseDecoder.EmptyBody: Sendable where Value: Sendable {}

extension HTTP.ResponseDecoder where Value: Decodable {
    /// Decodes JSON on the main actor, for a type that belongs to it.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @MainActor public static var json: Self {
        Self(JSONBody(limit: HTTP.Body.defaultLimit, configure: { _ in }))
    }

    /// Decodes JSON on the main actor, for a type that belongs to it.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    @MainActor public static func json(
        upTo limit: Int = HTTP.Body.defaultLimit,
        _ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) -> Self {
        Self(JSONBody(limit: limit, configure: configure))
    }
}

/// Reads a JSON body as a type whose conformance to `Decodable` belongs to the main actor.
private struct JSONBody: Sendable {
    let limit: Int
    let configure: @Sendable (JSONDecoder) -> Void

    nonisolated(nonsending) func read<Value>(
        _ type: Value.Type,
        from response: HTTP.Response
    ) async throws -> Value {
        let isEmpty = try await response.body.peek(upTo: 1).isEmpty
        let bytes = try await response.bytes(
            for: type,
            accepting: HTTP.jsonMediaTypes,
            isRefused: isEmpty,
            upTo: limit
        )
        // A decoder can't store a conformance that belongs to the main actor, so it is looked up on that actor.
        guard isOnMainActor(#isolation), let decodable = type as? any Decodable.Type else {
            throw response.actorRefused(type)
        }
        let decoder = JSONDecoder()
        configure(decoder)
        do {
            guard let value = try bytes.content(decodable, of: response.envelope, decoder) as? Value
            else {
                throw response.actorRefused(type)
            }
            return value
        } catch let error as DecodingError {
            throw HTTP.DecodingFailure(error, decoding: type)
        }
    }
}

// Inlining this crashes the optimiser of Swift 6.3.
@inline(never)
private func isOnMainActor(_ isolation: (any Actor)?) -> Bool { isolation === MainActor.shared }

extension HTTP.Response {
    /// Returns the bytes of the body, unless it is refused for its emptiness or media type.
    fileprivate nonisolated(nonsending) func bytes(
        for type: Any.Type,
        accepting mediaTypes: [String],
        isRefused: Bool,
        upTo limit: Int
    ) async throws -> Data {
        if isRefused {
            await discard()
            throw emptinessRefused(type)
        }
        guard isOne(of: mediaTypes) else {
            await discard()
            throw mediaTypeRefused(type, mediaTypes)
        }
        return try await body.collect(upTo: limit)
    }
}

extension HTTP.ResponseDecoder where Value: Decodable & Sendable {
    /// A decoder for JSON: `application/json` and every type with the suffix `+json`, from the response's envelope if
    /// it has one.
    public static var json: Self { json { _ in } }

    /// Returns a decoder for JSON: `application/json` and every type with the suffix `+json`, from the response's
    /// envelope if it has one.
    /// - Parameters:
    ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
    ///   - empty: The treatment of an empty body. Defaults to refusing it.
    ///   - configure: Sets up the decoder, which is a new one for each response.
    public static func json(
        upTo limit: Int = HTTP.Body.defaultLimit,
        whenEmpty empty: EmptyBody = .refused,
        _ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) -> Self {
        Self(accepting: HTTP.jsonMediaTypes, upTo: limit, whenEmpty: empty) { bytes, envelope in
            let decoder = JSONDecoder()
            configure(decoder)
            return try bytes.content(Value.self, of: envelope, decoder)
        }
    }
}

extension HTTP.ResponseDecoder where Value == Data {
    /// A decoder that returns the bytes of any media type; an empty body gives no bytes.
    public static var data: Self { Self(accepting: [], whenEmpty: .decoded) { $0 } }
}

extension HTTP.ResponseDecoder where Value == String {
    /// A decoder that returns the text of any media type, possibly empty, as ``HTTP/Response/text(repairing:upTo:)``
    /// does: in the charset of its byte order mark, `Content-Type` or else UTF-8, and with an error for what is no text
    /// in it.
    public static var text: Self {
        Self { response in
            // `decode(_:)` maps the error, once.
            var response = response
            response.onDecodingFailure = nil
            return try await response.text()
        }
    }
}

extension HTTP.ResponseDecoder where Value == HTTP.Response {
    /// A decoder that returns the response itself, with its body unread.
    public static var response: Self { Self { $0 } }
}

extension HTTP.ResponseDecoder where Value == Void {
    /// A decoder that returns nothing and releases the body.
    public static var nothing: Self { Self { response in await response.discard() } }
}

extension HTTP.Response {
    /// Decodes the response with a decoder.
    /// - Throws: As ``HTTP/ResponseDecoder/decode(_:)``.
    public func decode<Value>(by decoder: HTTP.ResponseDecoder<Value>) async throws -> Value {
        try await decoder.decode(self)
    }
}
