import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an `Encodable` value encodes, before it is written as names and values.
///
/// As with Alamofire's encoder, a container that encodes nothing leaves no trace, one of another kind at the same place
/// replaces what was there, and `superEncoder()` writes to the same object as the subclass.
final class FormNode {
    enum Kind {
        case nothing
        case text
        case list
        case object
    }

    /// The key in an object; empty for an element of a list, and at the top.
    let key: String
    private(set) var kind = Kind.nothing
    private(set) var text = ""
    /// The elements of a list, or the members of an object, in the order in which they were first encoded.
    private(set) var children: [FormNode] = []
    private var places: [String: Int] = [:]

    private init(key: String) { self.key = key }

    convenience init(of value: any Encodable, by options: HTTP.URLEncodedFormEncoder) throws {
        self.init(key: "")
        let work = FormEncoding(options: options)
        try FormValueEncoder(node: self, work: work, codingPath: []).write(value)
    }

    /// The members of an object in the order of their keys.
    var sortedChildren: [FormNode] {
        places.keys.sorted().compactMap { places[$0].map { children[$0] } }
    }

    fileprivate func set(_ text: String?) {
        become(text == nil ? .nothing : .text)
        self.text = text ?? ""
    }

    fileprivate func append() -> FormNode {
        become(.list)
        let node = FormNode(key: "")
        children.append(node)
        return node
    }

    fileprivate func member(_ key: String) -> FormNode {
        become(.object)
        if let place = places[key] { return children[place] }
        let node = FormNode(key: key)
        places[key] = children.count
        children.append(node)
        return node
    }

    fileprivate func become(_ kind: Kind) {
        guard self.kind != kind else { return }
        self.kind = kind
        children = []
        places = [:]
    }
}

/// What all containers of a value share, in one place, so that a container is small.
private final class FormEncoding {
    let options: HTTP.URLEncodedFormEncoder

    init(options: HTTP.URLEncodedFormEncoder) { self.options = options }
}

private struct FormValueEncoder: Encoder, SingleValueEncodingContainer {
    let node: FormNode
    let work: FormEncoding
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormObject(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { FormList(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.set(work.options.nilEncoding.text) }
    func encode(_ value: some Encodable) throws { try write(value) }
    // The standard library's own implementations of these two throw.
    func encode(_ value: Int128) throws { try write(value) }
    func encode(_ value: UInt128) throws { try write(value) }

    /// Writes a value to the node, in place of what it has.
    func write(_ value: any Encodable) throws {
        if let text = try text(of: value) {
            node.set(text)
            return
        }
        guard codingPath.count < HTTP.URLEncodedFormEncoder.deepest else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: codingPath, debugDescription: "The value is nested too deeply.")
            )
        }
        try value.encode(to: self)
    }

    func at(_ key: any CodingKey) -> FormValueEncoder {
        FormValueEncoder(
            node: node.member(key.stringValue),
            work: work,
            codingPath: codingPath + [key]
        )
    }

    func replacing(_ key: any CodingKey) -> FormValueEncoder {
        let encoder = at(key)
        encoder.node.become(.nothing)
        return encoder
    }

    func appended() -> FormValueEncoder {
        let node = node.append()
        let path = codingPath + [Index(intValue: self.node.children.count - 1)]
        return FormValueEncoder(node: node, work: work, codingPath: path)
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map { "\($0)" } ?? "" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    /// Returns the text of a value that is written as one; `nil` if it consists of others.
    private func text(of value: any Encodable) throws -> String? {
        switch value {
        case let value as String: value
        case let value as Bool: work.options.boolEncoding.text(value)
        case let value as any FixedWidthInteger: "\(value)"
        case let value as any BinaryFloatingPoint: "\(value)"
        case let value as Decimal: "\(value)"
        case let value as Date: try work.options.dateEncoding.text(value, at: codingPath)
        case let value as Data: try work.options.dataEncoding.text(value)
        case let value as URL: value.absoluteString
        default: nil
        }
    }
}

private struct FormObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.replacing(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try write(value, key) }

    // The standard library's own implementations leave `nil` out.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try write(value, key)
    }

    @inline(never)
    private func write(_ value: (any Encodable)?, _ key: any CodingKey) throws {
        let place = encoder.replacing(key)
        if let value { try place.write(value) } else { place.encodeNil() }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.at(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.at(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder.at(key) }
}

private struct FormList: UnkeyedEncodingContainer {
    let encoder: FormValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.kind == .list ? encoder.node.children.count : 0 }

    func encodeNil() { encoder.appended().encodeNil() }
    func encode(_ value: some Encodable) throws { try write(value) }
    func encode(_ value: Int128) throws { try write(value) }
    func encode(_ value: UInt128) throws { try write(value) }

    // Not inlined into the methods for each kind of number.
    @inline(never)
    private func write(_ value: any Encodable) throws { try encoder.appended().write(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        encoder.appended().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.appended().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
}
