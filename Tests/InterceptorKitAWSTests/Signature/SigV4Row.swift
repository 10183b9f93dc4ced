import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestSupport

/// A request as a test suite writes it: HTTP/1.1 with line feeds, and with bytes that no URL has.
struct SigV4Request {
    /// How a field's value that goes on in further lines is read.
    enum Folding {
        /// As one value with spaces (RFC 9112 section 5.2).
        case spaces
        /// As further fields of the name, as the suite of 2015 has it.
        case fields
    }

    let request: HTTP.Request

    init(_ data: some Sequence<UInt8>, folding: Folding = .spaces) throws {
        let text = String(decoding: Array(data), as: UTF8.self)
        let parts = text.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        var lines = parts[0].split(separator: "\n").map(String.init)
        let words = lines.removeFirst().split(separator: " ").map(String.init)
        var target = words.dropFirst().joined(separator: " ")
        if target.hasSuffix(" HTTP/1.1") { target.removeLast(9) }
        var fields: [(String, String)] = []
        for line in lines {
            if line.first == " ", let last = fields.last {
                let more = line.trimmingCharacters(in: .whitespaces)
                switch folding {
                case .spaces: fields[fields.count - 1].1 = last.1 + " " + more
                case .fields: fields.append((last.0, more))
                }
            } else {
                let sides = line.split(
                    separator: ":",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                fields.append((String(sides[0]), sides.count > 1 ? String(sides[1]) : ""))
            }
        }
        let headers = HTTP.Headers(fields)
        let host = headers["Host"] ?? ""
        request = HTTP.Request(
            HTTP.Method(rawValue: words[0]),
            HTTP.URL("https://\(raw: host)\(raw: Self.encoded(target))"),
            headers: headers,
            body: .text(parts.count > 1 ? parts[1].trimmingCharacters(in: .newlines) : "")
        )
    }

    // What a client must do to send it; escapes stay as they are.
    private static func encoded(_ target: String) -> String {
        target.utf8.map { byte in
            0x21...0x7E ~= byte
                ? String(Unicode.Scalar(byte)) : "%" + String(format: "%02X", Int(byte))
        }.joined()
    }
}

/// Makes no signature, for what is signed alone.
struct BlankSigner: MessageSigner {
    var algorithm: SignatureAlgorithm { .ecdsaP256SHA256 }

    func signature(of message: [UInt8]) -> [UInt8] { Array(repeating: 0x80, count: 64) }
}

func signingDate(_ text: String) throws -> Date {
    let digits = text.filter(\.isNumber)
    let iso = [(0, 4, "-"), (4, 6, "-"), (6, 8, "T"), (8, 10, ":"), (10, 12, ":"), (12, 14, "Z")]
        .map { start, end, mark in digits.dropFirst(start).prefix(end - start) + mark }
        .joined()
    return try Date(iso, strategy: .iso8601)
}

/// The signature in an `Authorization` field or a query.
func signature(of request: HTTP.Request) -> String? {
    if let field = request.headers["Authorization"], let start = field.range(of: "Signature=") {
        return String(field[start.upperBound...])
    }
    return request.url.queryParameters.first { $0.name.hasSuffix("-Signature") }?.value
}
