#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// How values of a type become bodies.
    ///
    /// ```swift
    /// let iso: HTTP.BodyEncoder<Order> = .json { $0.dateEncodingStrategy = .iso8601 }
    /// ```
    ///
    /// ``json(_:)`` for what is `Encodable`, ``form`` for pairs, ``multipart`` for parts, ``body(_:)`` for
    /// what is a body already, or ``init(_:)`` for a form of your own.
    public struct BodyEncoder<Value>: Sendable {
        private let work: @Sendable (Value, Runtime) throws -> Content

        /// Creates an encoder.
        /// - Parameter encode: Makes the content; the runtime is where randomness comes from.
        public init(
            _ encode: @escaping @Sendable (_ value: Value, _ runtime: Runtime) throws -> Content
        ) {
            work = encode
        }

        /// Makes a value's content.
        /// - Parameters:
        ///   - value: What to encode.
        ///   - runtime: Where randomness comes from. Defaults to the live runtime.
        /// - Throws: ``HTTP/ContentError`` that names the type.
        public func encode(_ value: Value, on runtime: Runtime = .live) throws -> Content {
            do {
                return try work(value, runtime)
            } catch let error as ContentError {
                throw error
            } catch let error as BodyError {
                throw error
            } catch {
                throw ContentError.cannotEncode(Value.self, error)
            }
        }
    }
}

extension HTTP.BodyEncoder where Value: Encodable & SendableMetatype {
    /// JSON, `application/json`.
    public static var json: Self { json { _ in } }

    /// JSON, `application/json`.
    /// - Parameter configure: Sets up the encoder, which is made separately for each value, so that none is
    ///   shared between calls.
    public static func json(_ configure: @escaping @Sendable (JSONEncoder) -> Void) -> Self {
        Self { value, _ in
            let encoder = JSONEncoder()
            configure(encoder)
            return HTTP.Content(made: try .json(value, using: encoder))
        }
    }
}

extension HTTP.BodyEncoder where Value == HTTP.Parameters {
    /// A form, `application/x-www-form-urlencoded`.
    public static var form: Self {
        Self { pairs, _ in HTTP.Content(made: .form(pairs.asTuples)) }
    }
}

extension HTTP.BodyEncoder where Value == HTTP.Multipart {
    /// A form with files, `multipart/form-data`.
    public static var multipart: Self { Self { form, runtime in try form.content(on: runtime) } }
}

extension HTTP.BodyEncoder where Value == HTTP.Body {
    /// A body as it is.
    /// - Parameter mediaType: What it is, as in `image/png`.
    public static func body(_ mediaType: String) -> Self {
        Self { body, _ in HTTP.Content(body, mediaType: mediaType) }
    }
}
