import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitForms
import TestRun
import Testing

private typealias Encoder = HTTP.URLEncodedFormEncoder

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_FORMS"]

@Suite("HTTP.URLEncodedFormEncoder against other implementations")
struct FormEncodingDifferentialTests {
    private struct Row: Decodable {
        let value: Value
        let array: String
        let dots: Bool
        let dropsKey: Bool
        let plus: Bool
        let text: String

        var encoder: Encoder {
            Encoder(
                arrayEncoding: ["brackets": .brackets, "noBrackets": .noBrackets][array]
                    ?? .indexInBrackets,
                boolEncoding: .literal,
                keyPathEncoding: dots ? .dots : .brackets,
                nilEncoding: dropsKey ? .dropKey : .dropValue,
                spaceEncoding: plus ? .plusReplaced : .percentEscaped
            )
        }
    }

    private enum Value: Codable {
        case null
        case bool(Bool)
        case integer(Int)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else if let value = try? container.decode([Value].self) {
                self = .list(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Swift.Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            case .list(let value): try container.encode(value)
            case .object(let value): try container.encode(value)
            }
        }
    }

    @Test(
        "writes random values alike",
        .enabled(
            if: generated != nil,
            "no values: run Tests/Comparisons/forms, which needs qs-codec of PyPI"
        )
    )
    func differential() throws {
        let lines = try Data(contentsOf: URL(filePath: unwrap(generated))).split(separator: 0x0A)
        var result = Conformance("form-encoding-qs")

        for line in lines {
            let row = try JSONDecoder().decode(Row.self, from: line)
            let body = HTTP.Body.form(try row.encoder.encode(row.value))
            let text = String(decoding: body.inMemory ?? Data(), as: UTF8.self)
            let query = try HTTP.Request.get("/", query: row.value, by: row.encoder).url.query
            let isSame = text == row.text && (query ?? "") == row.text
            result.note(isSame, "differs: \(text) instead of \(row.text)")
        }

        print(result.failures.prefix(10).joined(separator: "\n"))
        expectEqual(result.failures.count, 0)
        print(result.summary)
    }
}
