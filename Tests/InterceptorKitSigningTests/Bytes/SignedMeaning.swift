import Foundation
import InterceptorKit

/// What a request says by a scheme's own published rule. Requests of one meaning may share a signature,
/// and no others may: each rule below names what it lets pass.
struct SignedMeaning: Hashable {
    private var parts: [[[UInt8]]] = []

    init(_ request: HTTP.Request, by rules: Rules) {
        if rules.hasMethod { add(method(request, rules)) }
        switch rules.content == .joinedForm ? .uncovered : rules.path {
        case .uncovered: break
        case .asWritten: add(Array(request.url.path.utf8))
        // An empty segment leads nowhere (SigV4 but for S3).
        case .segments: parts.append(segments(request.url.path, isDecoded: false))
        // Escapes say the same in whichever case, and escaped as unescaped.
        case .decodedSegments: parts.append(segments(request.url.path, isDecoded: true))
        }
        let isForm = request.headers["Content-Type"] == SignedMeaning.form
        let content = Array(request.body.inMemory ?? Data())
        var pairs: [[[UInt8]]] = []
        switch rules.content == .joinedForm ? .uncovered : rules.query {
        case .uncovered: break
        case .asWritten: add(Array((request.url.query ?? "").utf8))
        case .pairs(let plusIsBlank):
            pairs += self.pairs(Array((request.url.query ?? "").utf8), plusIsBlank)
        }
        switch rules.content {
        case .uncovered: break
        case .bytes: add(content)
        // OAuth does not tell a form's parameters from the query's, and covers no other content.
        case .formBesideQuery: pairs += isForm ? self.pairs(content, true) : []
        // Twilio joins URL, names and values without anything between, each pair once.
        case .joinedForm:
            add(Array(request.url.text.utf8) + (isForm ? joined(self.pairs(content, true)) : []))
            if !isForm { add(content) }
        }
        for pair in pairs.sorted(by: precedes) { parts.append(pair) }
        for name in rules.fields {
            let value = Array((request.headers[name] ?? "").utf8)
            if rules.tellsAbsence { parts.append([[request.headers.contains(name) ? 1 : 0]]) }
            switch rules.values {
            case .asWritten: add(value)
            case .anyCase: add(value.map(lowerCase))
            // A run of blanks is one.
            case .singleSpaced:
                parts.append(value.split { $0 == 0x20 || $0 == 0x09 }.map(Array.init))
            }
        }
    }

    static let form = "application/x-www-form-urlencoded"

    /// What a scheme covers, and what it takes for the same.
    struct Rules: Sendable {
        enum Path { case uncovered, asWritten, segments, decodedSegments }
        enum Content { case uncovered, bytes, formBesideQuery, joinedForm }
        enum Values { case asWritten, anyCase, singleSpaced }
        enum Query {
            case uncovered, asWritten
            /// In any order, empty ones left out, one without `=` as one without a value.
            case pairs(plusIsBlank: Bool)
        }

        var hasMethod = false
        var ignoresMethodCase = false
        var path = Path.uncovered
        var query = Query.uncovered
        var content = Content.bytes
        var fields: [String] = []
        var values = Values.asWritten
        /// Whether a field that is missing is not one without a value.
        var tellsAbsence = true
    }

    private mutating func add(_ bytes: [UInt8]) { parts.append([bytes]) }

    private func method(_ request: HTTP.Request, _ rules: Rules) -> [UInt8] {
        let method = request.method.rawValue
        return Array((rules.ignoresMethodCase ? method.uppercased() : method).utf8)
    }

    private func segments(_ path: String, isDecoded: Bool) -> [[UInt8]] {
        let all = path.utf8.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: !isDecoded
        )
        let end: [[UInt8]] = path.hasSuffix("/") ? [[]] : []
        return all.map { isDecoded ? decoded($0, false) : Array($0) } + end
    }

    private func pairs(_ text: [UInt8], _ plusIsBlank: Bool) -> [[[UInt8]]] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let sides = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            return [
                decoded(sides[0], plusIsBlank),
                sides.count > 1 ? decoded(sides[1], plusIsBlank) : [],
            ]
        }
    }

    private func joined(_ pairs: [[[UInt8]]]) -> [UInt8] {
        Set(pairs).sorted(by: precedes).reduce(into: []) { $0 += $1[0] + $1[1] }
    }

    private func precedes(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool {
        left[0] == right[0]
            ? left[1].lexicographicallyPrecedes(right[1])
            : left[0].lexicographicallyPrecedes(right[0])
    }

    private func decoded(_ text: some Sequence<UInt8>, _ plusIsBlank: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] * 16 + digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? 0x20 : byte)
            }
        }
        return bytes
    }

    private func lowerCase(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
