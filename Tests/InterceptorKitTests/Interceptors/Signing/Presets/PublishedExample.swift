import ConformanceVectors
import Foundation
import InterceptorKit

/// A documented example of a signature, whatever its scheme.
struct PublishedExample {
    let id: String
    let expected: String
    let stringToSign: String
    private let values: [String: Any]

    static func all() throws -> [PublishedExample] {
        let data = try Vectors.data("sign-schemes/published-examples.json")
        let file = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (file?["cases"] as? [[String: Any]] ?? []).map(PublishedExample.init)
    }

    private init(_ values: [String: Any]) {
        self.values = values
        id = values["id"] as? String ?? ""
        expected = values["expected"] as? String ?? ""
        stringToSign = values["string_to_sign"] as? String ?? ""
    }

    subscript(name: String) -> String {
        if let number = values[name] as? Int { return "\(number)" }
        return values[name] as? String ?? ""
    }

    func pairs(_ name: String = "params") -> [(String, String)] {
        if let named = values[name] as? [String: String] {
            return named.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
        }
        return (values[name] as? [[String]] ?? []).map { ($0[0], $0[1]) }
    }

    func parameter(_ name: String) -> String { pairs().first { $0.0 == name }?.1 ?? "" }

    var lines: [String] { stringToSign.components(separatedBy: "\n") }

    /// The fields that a canonical request lists, but for the host.
    var canonicalFields: [(String, String)] {
        let lines = self["canonical_request"].components(separatedBy: "\n").dropFirst(3)
        return lines.prefix { !$0.isEmpty }.map {
            let sides = $0.split(separator: ":", maxSplits: 1)
            return (String(sides[0]), String(sides[1]))
        }.filter { $0.0 != "host" }
    }
}

/// A form's content.
func form(_ pairs: [(String, String)]) -> HTTP.Body {
    .text(HTTP.URL("/").appending(query: pairs).query ?? "")
}
