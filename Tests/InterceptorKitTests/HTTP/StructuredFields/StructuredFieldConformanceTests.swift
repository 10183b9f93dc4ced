import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite("Structured fields against published vectors")
struct StructuredFieldConformanceTests {
    @Test(
        "parse and serialise as the tests of RFC 9651 say",
        .tags(.vectors),
        .vectors("structured-fields")
    )
    func conformance() async throws {
        let result = try await besideOtherTests { try checkAll() }

        expectEqual(result.failures, [])
        expectEqual(result.passed, 1591 + 544)
        print(result.summary)
    }

    private func checkAll() throws -> Conformance {
        var result = Conformance("structured-fields")
        for name in try Vectors.names(in: "structured-fields", ending: ".json") {
            for row in try Row.all(in: "structured-fields/\(name)") {
                try row.parse(into: &result, file: name)
            }
        }
        for name in try Vectors.names(in: folder, ending: ".json") {
            for row in try Row.all(in: "\(folder)/\(name)") {
                try row.serialize(into: &result, file: name)
            }
        }
        return result
    }

    private let folder = "structured-fields/serialisation-tests"
}

private struct Row: Decodable {
    let name: String
    let raw: [String]?
    let header_type: String
    let expected: VectorValue?
    let must_fail: Bool?
    let can_fail: Bool?
    let canonical: [String]?

    static func all(in path: String) throws -> [Row] {
        try JSONDecoder().decode(
            [Row].self,
            from: VectorValue.markingDecimals(try Vectors.data(path))
        )
    }

    /// What is expected, as a value of this library.
    private func value() throws -> Field {
        let expected = try unwrap(expected)
        return switch header_type {
        case "item": .item(try expected.item())
        case "list": .list(try expected.list())
        default: .dictionary(try expected.dictionary())
        }
    }

    func parse(into result: inout Conformance, file: String) throws {
        let row = "\(file): \(name)"
        let text = try unwrap(raw).joined(separator: ", ")
        do {
            let parsed = try Field(parsing: text, as: header_type)
            guard must_fail != true else { return result.note(false, "\(row): accepted") }
            let canonical = try parsed.serialized()
            result.note(
                parsed == (try value()) && canonical == (self.canonical ?? raw)?.joined(),
                "\(row): \(parsed), serialised \(canonical)"
            )
        } catch let error as HTTP.FieldError {
            result.note(must_fail == true || can_fail == true, "\(row): \(error)")
        }
    }

    func serialize(into result: inout Conformance, file: String) throws {
        let row = "\(file): \(name)"
        do {
            let text = try value().serialized()
            result.note(must_fail != true && text == canonical?.joined(), "\(row): \(text)")
        } catch let error as HTTP.FieldError {
            result.note(must_fail == true, "\(row): \(error)")
        }
    }
}

private enum Field: Equatable {
    case item(HTTP.StructuredField.Item)
    case list(HTTP.StructuredField.List)
    case dictionary(HTTP.StructuredField.Dictionary)

    init(parsing text: String, as type: String) throws {
        self =
            switch type {
            case "item": .item(try .init(parsing: text))
            case "list": .list(try .init(parsing: text))
            default: .dictionary(try .init(parsing: text))
            }
    }

    func serialized() throws -> String {
        switch self {
        case .item(let item): try item.serialized()
        case .list(let list): try list.serialized()
        case .dictionary(let dictionary): try dictionary.serialized()
        }
    }
}
