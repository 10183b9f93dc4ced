#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Response {
    /// Decodes, as a JSON value, the whole body or the content of an envelope other than the response's own.
    ///
    /// ```swift
    /// let order = try await response.decode(Order.self, in: HTTP.ResponseEnvelope(data: "result"))
    /// ```
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - envelope: The envelope with the path of the content; `nil` decodes the whole body. The business code is not
    ///     checked: the error filter does that.
    ///   - decoder: The JSON decoder. Defaults to a plain one.
    ///   - limit: The largest body accepted, in bytes. Defaults to 16 MiB.
    /// - Throws: As ``decode(_:using:upTo:)``; paths begin outside the envelope.
    @concurrent
    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type,
        in envelope: HTTP.ResponseEnvelope?,
        using decoder: JSONDecoder = JSONDecoder(),
        upTo limit: Int = HTTP.Body.defaultLimit
    ) async throws -> Value {
        try await read(as: type, upTo: limit) { try $0.content(type, of: envelope, decoder) }
    }

    /// Decodes the content of an envelope as a JSON value on the caller's actor, for types that belong to it, such as
    /// all types in a module with `defaultIsolation(MainActor.self)`.
    /// - Throws: As ``decode(_:using:upTo:)``; paths begin outside the envelope.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public nonisolated(nonsending) func decode<Value: Decodable>(
        _ type: Value.Type,
        in envelope: HTTP.ResponseEnvelope?,
        using decoder: JSONDecoder = JSONDecoder(),
        upTo limit: Int = HTTP.Body.defaultLimit
    ) async throws -> Value {
        try await read(as: type, upTo: limit) { try $0.content(type, of: envelope, decoder) }
    }
}

extension Data {
    /// Decodes the content of an envelope, or the whole value if there is no envelope.
    func content<Value: Decodable>(
        _ type: Value.Type,
        of envelope: HTTP.ResponseEnvelope?,
        _ decoder: JSONDecoder
    ) throws -> Value {
        guard let envelope else { return try decoder.decode(type, from: self) }
        return try decoder.decode(Enveloped<Value>.self, from: self, configuration: envelope).value
    }
}

/// The content of an envelope, or the whole value if it has neither a business code nor content in the envelope's
/// places: services send some responses without an envelope.
private struct Enveloped<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration envelope: HTTP.ResponseEnvelope) throws {
        let path = envelope.data.split(at: ".").map(String.init)
        let starts = [path.first, envelope.code.split(at: ".").first.map(String.init)].compactMap(
            \.self
        )
        if let members = try? decoder.container(keyedBy: Name.self) {
            guard starts.contains(where: { members.contains(Name(stringValue: $0)) }) else {
                value = try Value(from: decoder)
                return
            }
        } else if !starts.contains(where: { Int($0) != nil }) {
            value = try Value(from: decoder)
            return
        }
        value = try Content(from: decoder, configuration: path).value
    }
}

/// The value at a path of names and array indexes.
private struct Content<Value: Decodable>: DecodableWithConfiguration {
    let value: Value

    init(from decoder: any Decoder, configuration path: [String]) throws {
        guard let first = path.first else {
            value = try Value(from: decoder)
            return
        }
        let rest = Array(path.dropFirst())
        if let index = Int(first), var list = try? decoder.unkeyedContainer() {
            for _ in 0..<max(0, index) { _ = try list.decode(Skipped.self) }
            value = try list.decode(Content.self, configuration: rest).value
        } else {
            let members = try decoder.container(keyedBy: Name.self)
            let name = Name(stringValue: first)
            guard members.contains(name) else {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "There is no such member."
                )
                throw DecodingError.keyNotFound(name, context)
            }
            value = try members.decode(Content.self, forKey: name, configuration: rest).value
        }
    }

    private struct Skipped: Decodable { init(from decoder: any Decoder) {} }
}

private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
