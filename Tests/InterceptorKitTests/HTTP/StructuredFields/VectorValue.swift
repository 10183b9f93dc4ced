import Foundation
import InterceptorKit
import Testing

/// A value as the tests of RFC 9651 write it in JSON; their README says how.
indirect enum VectorValue: Decodable {
    case integer(Int)
    case string(String)
    case boolean(Bool)
    case typed(String, VectorValue)
    case array([VectorValue])

    private enum Keys: String, CodingKey {
        case type = "__type"
        case value
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Keys.self) {
            self = .typed(
                try object.decode(String.self, forKey: .type),
                try object.decode(VectorValue.self, forKey: .value)
            )
            return
        }
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else {
            self = .array(try container.decode([VectorValue].self))
        }
    }

    func item() throws -> HTTP.StructuredField.Item {
        let (value, parameters) = try pair()
        return HTTP.StructuredField.Item(try value.bareItem(), try parameters.parameters())
    }

    func list() throws -> HTTP.StructuredField.List {
        HTTP.StructuredField.List(try array().map { try $0.member() })
    }

    func dictionary() throws -> HTTP.StructuredField.Dictionary {
        HTTP.StructuredField.Dictionary(
            try array().map {
                let (key, value) = try $0.pair()
                return (try key.text(), try value.member())
            }
        )
    }

    private func member() throws -> HTTP.StructuredField.Member {
        let (value, parameters) = try pair()
        guard case .array(let items) = value else { return .item(try item()) }
        return .innerList(.init(try items.map { try $0.item() }, try parameters.parameters()))
    }

    private func parameters() throws -> HTTP.StructuredField.Parameters {
        HTTP.StructuredField.Parameters(
            try array().map {
                let (key, value) = try $0.pair()
                return (try key.text(), try value.bareItem())
            }
        )
    }

    private func bareItem() throws -> HTTP.StructuredField.BareItem {
        switch self {
        case .integer(let number): return .integer(number)
        case .typed("decimal", .string(let text)):
            guard let number = Double(text) else { throw Unreadable() }
            return .init(floatLiteral: number)
        case .string(let text): return .string(text)
        case .boolean(let flag): return .boolean(flag)
        case .typed("token", let value): return .token(try value.text())
        case .typed("displaystring", let value): return .displayString(try value.text())
        case .typed("date", .integer(let seconds)): return .date(seconds)
        case .typed("binary", let value): return .bytes(try bytes(base32: try value.text()))
        default: throw Unreadable()
        }
    }

    private func array() throws -> [VectorValue] {
        guard case .array(let values) = self else { throw Unreadable() }
        return values
    }

    private func pair() throws -> (VectorValue, VectorValue) {
        let values = try array()
        guard values.count == 2 else { throw Unreadable() }
        return (values[0], values[1])
    }

    private func text() throws -> String {
        guard case .string(let text) = self else { throw Unreadable() }
        return text
    }

    private struct Unreadable: Error {}

    private func bytes(base32 text: String) throws -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for character in text.utf8 where character != UInt8(ascii: "=") {
            guard let value = digits.firstIndex(of: character) else { throw Unreadable() }
            bits = (bits << 5 | value) & 0xfff
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}

extension VectorValue {
    /// The JSON with every number that has a point as an object of the type `decimal`: decoders do not
    /// tell 1.0 from 1.
    static func markingDecimals(_ json: Data) -> Data {
        var marked = Data()
        var isInString = false
        var rest = json[...]
        while let byte = rest.popFirst() {
            if isInString {
                marked.append(byte)
                if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                    marked.append(escaped)
                }
                isInString = byte != UInt8(ascii: "\"")
                continue
            }
            guard byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) else {
                isInString = byte == UInt8(ascii: "\"")
                marked.append(byte)
                continue
            }
            let tail = rest.prefix { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
            rest = rest.dropFirst(tail.count)
            let number = "\(Unicode.Scalar(byte))" + String(decoding: tail, as: UTF8.self)
            let isDecimal = number.contains(".")
            marked += (isDecimal ? #"{"__type":"decimal","value":"\#(number)"}"# : number).utf8
        }
        return marked
    }
}
