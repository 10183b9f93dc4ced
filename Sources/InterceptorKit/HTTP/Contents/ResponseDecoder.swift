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
    /// Decoders of bodies check three things first: a body must not be larger than the limit, have another
    /// media type, or be empty if a value is needed. A response without a media type is accepted.
    public struct ResponseDecoder<Value: Sendable>: Sendable {
        /// How a decoder handles an empty body.
        public enum EmptyBody: Sendable {
            /// Throws a ``HTTP/ContentError``.
            case refused
            /// Returns this value.
            case value(Value)
            /// Decodes the empty bytes.
            case decoded
        }

        private let work: @Sendable (Response) async throws -> Value

        /// Creates a decoder that gets the whole response.
        /// - - Parameter decode: Decodes the response; its errors are thrown unchanged.
        public init(_ decode: @escaping @Sendable (_ response: Response) async throws -> Value) {
            work = decode
        }

        /// Creates a decoder of bodies.
        /// - Parameters:
        ///   - mediaTypes: The accepted media types: `application/json` for one, `text/*` for all subtypes,
        ///     `+json` for all with a suffix (RFC 6839). Empty means all.
        ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
        ///   - empty: How to handle an empty body. Defaults to refusing it.
        ///   - decode: Decodes the bytes. A `DecodingError` becomes a ``HTTP/DecodingFailure``; other errors
        ///     are thrown unchanged.
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

        /// Decodes a response, away from the caller's actor.
        /// - - Throws: ``HTTP/DecodingFailure`` that names the type and the place; ``HTTP/ContentError`` for
        ///   an empty body or another media type; ``HTTP/BodyError`` if the body is too large or was read
        ///   before; your own decoder's errors; or what ``HTTP/Response/onDecodingFailure`` makes of them.
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
    /// A decoder for JSON: `application/json` and every type with the suffix `+json`.
    public static var json: Self { json { _ in } }

    /// Returns a decoder for JSON: `application/json` and every type with the suffix `+json`.
    /// - Parameters:
    ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
    ///   - empty: How to handle an empty body. Defaults to refusing it.
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
    /// A decoder that returns the bytes of any media type; an empty body gives no bytes.
    public static var data: Self { Self(accepting: [], whenEmpty: .decoded) { $0 } }
}

extension HTTP.ResponseDecoder where Value == String {
    /// A decoder that returns the text of any media type, possibly empty; bytes that are not UTF-8 become
    /// replacement characters.
    public static var text: Self {
        Self(accepting: [], whenEmpty: .decoded) { String(decoding: $0, as: UTF8.self) }
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
    /// Decodes the response with a decoder, away from the caller's actor.
    /// - Throws: As ``HTTP/ResponseDecoder/decode(_:)``.
    public func decode<Value>(by decoder: HTTP.ResponseDecoder<Value>) async throws -> Value {
        try await decoder.decode(self)
    }
}
