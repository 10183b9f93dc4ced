import Foundation
import InterceptorKit
import InterceptorKitTesting

/// A request whose path, query, content and fields hold bytes of any kind: no UTF-8, text that Unicode
/// takes for the same, escapes in either case, and escapes that are none.
struct OddRequest {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Bytes that careless comparisons take for one another stand side by side.
    private static let atoms: [[UInt8]] = [
        [0xFF], [0xFE], [0xEF, 0xBF, 0xBD], [0xC0, 0x80], [0], [0x0D, 0x0A], [0x20],
        Array("+".utf8),
        Array("%".utf8), Array("&".utf8), Array("=".utf8), Array("/".utf8), Array("a".utf8),
        Array("A".utf8), Array("b".utf8), Array("~".utf8), Array("\u{e9}".utf8),
        Array("e\u{301}".utf8), Array("\u{212b}".utf8), Array("\u{c5}".utf8),
    ]

    /// - Parameter isForm: Whether the content is a form.
    mutating func next(isForm: Bool) -> HTTP.Request {
        let path = (0..<Int.random(in: 1...3, using: &random)).map { _ in "/a" + escaped("") }
        let query = Bool.random(using: &random) ? "" : "?" + pairs(isLoose: false)
        return HTTP.Request(
            .post,
            HTTP.URL("https://h.example\(raw: path.joined())\(raw: query)"),
            headers: [
                "Content-Type": isForm ? SignedMeaning.form : "a/b; c=" + value(),
                "x-acs-note": value(), "Operation-Type": value(), "Authorization": value(),
            ],
            body: .bytes(isForm ? Array(pairs(isLoose: true).utf8) + raw() : raw())
        )
    }

    /// A request of which one part is odd, so that many of them say the same.
    mutating func nextShort() -> HTTP.Request {
        var request = HTTP.Request.get(
            "https://h.example/a?a=b",
            headers: ["Content-Type": SignedMeaning.form]
        )
        switch Int.random(in: 0...4, using: &random) {
        case 0: request.method = ["GET", "get", "Get"].randomElement(using: &random) ?? .get
        case 1: request.url = HTTP.URL("https://h.example/a\(raw: escaped(""))?a=b")
        case 2: request.url = HTTP.URL("https://h.example/a?a=\(raw: escaped("+"))")
        case 3:
            for name in ["x-acs-note", "Operation-Type", "Authorization"] {
                request.headers[name] = value()
            }
        default:
            let more = ["", "=", "a=", "&a=b", "%2f", "%2F", "%-0"].randomElement(using: &random)
            request.body = .bytes(Array((more ?? "").utf8) + raw())
        }
        return request
    }

    /// The same with one byte of a part changed; `nil` if no such request can be sent.
    mutating func changing(_ part: Part, of request: HTTP.Request, upTo end: Int) -> HTTP.Request? {
        var changed = request
        switch part {
        case .path, .query:
            let target = request.url.requestTarget
            let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.utf8.endIndex
            let path = target.utf8.distance(from: target.utf8.startIndex, to: mark)
            let places =
                part == .path ? 1..<path : path + 1..<max(path + 1, min(end, target.utf8.count))
            let legal = Array("0123456789abcdefABCDEF%%%&=+/~".utf8)
            guard let place = places.randomElement(using: &random),
                let byte = legal.randomElement(using: &random),
                let text = replacing(place, by: byte, in: target)
            else { return nil }
            changed.url = HTTP.URL("https://h.example\(raw: text)")
            // A change that moves the border of path and query is one of both.
            guard changed.url.path.utf8.count == path else { return nil }
        case .content:
            var bytes = Array(request.body.inMemory ?? Data())
            guard let place = bytes.indices.prefix(end).randomElement(using: &random) else {
                return nil
            }
            bytes[place] = .random(in: 0...255, using: &random)
            changed.body = .bytes(bytes)
        case .field(let name):
            let value = request.headers[name] ?? ""
            guard let place = (0..<value.utf8.count).randomElement(using: &random),
                let text = replacing(place, by: .random(in: 0x20...0x7E, using: &random), in: value)
            else { return nil }
            changed.headers[name] = text
        case .method:
            changed.method =
                ["PUT", "post", "POST&", "POST%26"].randomElement(using: &random) ?? .put
        }
        return (try? changed.validate()) == nil ? nil : changed
    }

    /// A part of a request in which a byte is changed.
    enum Part: Sendable, Equatable {
        case method, path, query, content
        case field(String)
    }

    private func replacing(_ place: Int, by byte: UInt8, in text: String) -> String? {
        var bytes = Array(text.utf8)
        bytes[place] = byte
        return String(validating: bytes, as: UTF8.self)
    }

    private mutating func raw() -> [UInt8] {
        (0..<Int.random(in: 0...2, using: &random)).flatMap { _ in
            Self.atoms.randomElement(using: &random) ?? []
        }
    }

    /// - Parameter more: What stands for itself beside unreserved characters.
    private mutating func escaped(_ more: String) -> String {
        raw().map { byte in
            let letter = Character(Unicode.Scalar(byte))
            if letter.isASCII, letter.isLetter || more.contains(letter), Bool.random(using: &random)
            {
                return String(letter)
            }
            let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
            return "%" + (Bool.random(using: &random) ? digits : digits.uppercased())
        }.joined()
    }

    private mutating func pairs(isLoose: Bool) -> String {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let loose =
                isLoose
                ? ["%-0", "%+1", "%4", "%zz", "%00", ""].randomElement(using: &random) : nil
            let value = escaped("+") + (loose ?? "")
            return escaped("+") + (Bool.random(using: &random) ? "=" + value : "")
        }.joined(separator: "&")
    }

    private mutating func value() -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            ["a", "B", " ", "  ", "\u{e9}", "e\u{301}", ",", "\t"].randomElement(using: &random)
                ?? ""
        }.joined()
    }
}
