#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// How responses become values of a type.
    ///
    /// ```swift
    /// let orders: HTTP.ResponseDecoder<[Order]> = .json(whenEmpty: .value([])) {
    ///     $0.dateDecodingStrategy = .iso8601
    /// }
    /// ```
    ///
    /// Those that read bodies look at three things before: a body must not be larger than the limit, of
    /// another media type, or empty where a value is needed. A response that does not say its media type
    /// is taken for one of the right type.
    public struct ResponseDecoder<Value: Sendable>: Sendable {
        /// What an empty body means.
        public enum EmptyBody: Sendable {
            /// A ``HTTP/ContentError``.
            case refused
            /// This value.
            case value(Value)
            /// What the decoder makes of no bytes.
            case decoded
        }

        private let work: @Sendable (Response) async throws -> Value

        /// Creates a decoder that gets the whole response.
        /// - Parameter decode: Reads the response; what it throws is thrown as it is.
        public init(_ decode: @escaping @Sendable (_ response: Response) async throws -> Value) {
            work = decode
        }

        /// Creates a decoder of bodies.
        /// - Parameters:
        ///   - mediaTypes: Those accepted: `application/json` alone, `text/*` for all of a type, `+json` for
        ///     all with a suffix (RFC 6839). Empty means all.
        ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
        ///   - empty: What an empty body means. Defaults to a refusal.
        ///   - decode: Reads the bytes. A `DecodingError` becomes a ``HTTP/DecodingFailure``; what else it
        ///     throws is thrown as it is.
        public init(
            accepting mediaTypes: [String],
            upTo limit: Int = Body.defaultLimit,
            whenEmpty empty: EmptyBody = .refused,
            _ decode: @escaping @Sendable (_ bytes: Data) throws -> Value
        ) {
            work = { response in
                let isEmpty = try await response.body.peek(upTo: 1).isEmpty
                switch empty {
                case .value(let value) where isEmpty: return value
                case .refused where isEmpty:
                    await response.discard()
                    throw response.emptinessRefused(Value.self)
                default: break
                }
                if !isEmpty && !response.isOne(of: mediaTypes) {
                    await response.discard()
                    throw response.mediaTypeRefused(Value.self, mediaTypes)
                }
                let bytes = try await response.body.collect(upTo: limit)
                do {
                    return try decode(bytes)
                } catch let error as DecodingError {
                    throw DecodingFailure(error, decoding: Value.self)
                }
            }
        }

        /// Reads a response, away from the caller's actor.
        /// - Throws: ``HTTP/DecodingFailure`` that names the type and the place; ``HTTP/ContentError`` for an
        ///   empty body or another media type; ``HTTP/BodyError`` if the body is too large or was read
        ///   before; what a decoder of your own throws; what ``HTTP/Response/onDecodingFailure`` makes
        ///   of them.
        @concurrent
        public func decode(_ response: Response) async throws -> Value {
            do {
                return try await work(response)
            } catch let error as CancellationError {
                throw error
            } catch {
                throw response.onDecodingFailure?(error) ?? error
            }
        }
    }
}

extension HTTP.ResponseDecoder where Value: Decodable {
    /// JSON: `application/json` and every type with the suffix `+json`.
    public static var json: Self { json { _ in } }

    /// JSON: `application/json` and every type with the suffix `+json`.
    /// - Parameters:
    ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
    ///   - empty: What an empty body means. Defaults to a refusal.
    ///   - configure: Sets up the decoder, which is made separately for each response.
    public static func json(
        upTo limit: Int = HTTP.Body.defaultLimit,
        whenEmpty empty: EmptyBody = .refused,
        _ configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) -> Self {
        Self(accepting: HTTP.jsonMediaTypes, upTo: limit, whenEmpty: empty) { bytes in
            let decoder = JSONDecoder()
            configure(decoder)
            return try decoder.decode(Value.self, from: bytes)
        }
    }
}

extension HTTP.ResponseDecoder where Value == Data {
    /// The bytes, of whatever type, also none.
    public static var data: Self { Self(accepting: [], whenEmpty: .decoded) { $0 } }
}

extension HTTP.ResponseDecoder where Value == String {
    /// The text, of whatever type, also none; bytes that are not UTF-8 become replacement characters.
    public static var text: Self {
        Self(accepting: [], whenEmpty: .decoded) { String(decoding: $0, as: UTF8.self) }
    }
}

extension HTTP.ResponseDecoder where Value == HTTP.Response {
    /// The response itself, its body unread.
    public static var response: Self { Self { $0 } }
}

extension HTTP.ResponseDecoder where Value == Void {
    /// Nothing: the body is released.
    public static var nothing: Self { Self { response in await response.discard() } }
}

extension HTTP.Response {
    /// Reads the response by a decoder, away from the caller's actor.
    /// - Throws: As ``HTTP/ResponseDecoder/decode(_:)``.
    public func decode<Value>(by decoder: HTTP.ResponseDecoder<Value>) async throws -> Value {
        try await decoder.decode(self)
    }
}
