#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// An encoder that turns values of a type into bodies.
    ///
    /// ```swift
    /// let iso: HTTP.BodyEncoder<Order> = .json { $0.dateEncodingStrategy = .iso8601 }
    /// ```
    ///
    /// Use ``json(_:)`` for `Encodable` values, ``form`` for pairs, ``multipart`` for parts, ``body(_:)`` for
    /// existing bodies, or ``init(_:)`` for your own format.
    public struct BodyEncoder<Value>: Sendable {
        private let work: @Sendable (Value, Runtime) throws -> Content

        /// Creates an encoder.
        /// - Parameter encode: Returns the content; the runtime is the source of randomness.
        public init(
            _ encode: @escaping @Sendable (_ value: Value, _ runtime: Runtime) throws -> Content
        ) {
            work = encode
        }

        /// Returns a value's content.
        /// - Parameters:
        ///   - value: The value to encode.
        ///   - runtime: The source of randomness. Defaults to the live runtime.
        /// - Throws: ``HTTP/ContentError`` that names the type, or says why a file is unreadable.
        public func encode(_ value: Value, on runtime: Runtime = .live) throws -> Content {
            do {
                return try work(value, runtime)
            } catch let error as ContentError {
                throw error
            } catch {
                throw ContentError.cannotEncode(Value.self, error)
            }
        }
    }
}

extension HTTP.BodyEncoder where Value: Encodable & SendableMetatype {
    /// An encoder for JSON, `application/json`.
    public static var json: Self { json { _ in } }

    /// Returns an encoder for JSON, `application/json`.
    /// - Parameter configure: Sets up the encoder, which is a new one for each value.
    public static func json(_ configure: @escaping @Sendable (JSONEncoder) -> Void) -> Self {
        Self { value, _ in
            let encoder = JSONEncoder()
            configure(encoder)
            return HTTP.Content(made: try .json(value, using: encoder))
        }
    }
}

extension HTTP.BodyEncoder where Value == HTTP.Parameters {
    /// An encoder for a form, `application/x-www-form-urlencoded`.
    public static var form: Self {
        Self { pairs, _ in HTTP.Content(made: .form(pairs)) }
    }
}

extension HTTP.BodyEncoder where Value == HTTP.Multipart {
    /// An encoder for a form with files, `multipart/form-data`.
    public static var multipart: Self { Self { form, runtime in try form.content(on: runtime) } }
}

extension HTTP.BodyEncoder where Value == HTTP.Body {
    /// Returns an encoder that leaves a body unchanged.
    /// - Parameter mediaType: The body's media type, such as `image/png`.
    public static func body(_ mediaType: String) -> Self {
        Self { body, _ in HTTP.Content(body, mediaType: mediaType) }
    }
}
