/// Recognises the names of secrets in any spelling. The same rule applies to parameters of URLs and forms, members of
/// JSON, elements, cookies, fields and words in sentences.
///
/// A name is split into words at capitals, digits and everything that isn't a letter, after percent-decoding, so that
/// `accessToken`, `access_token`, `ACCESS-TOKEN`, `user[accessToken][0]` and `access%5Ftoken` have the same words. A
/// term matches as whole words; with at least three letters also at the name's end, as `pwd` in `userpwd`; with at
/// least five anywhere, as `token` in `csrfmiddlewaretoken`.
struct SecretNames: Sendable {
    enum Visibility {
        case shown
        case hidden
        /// A name that means a secret in URLs and forms, but also other things in bodies and sentences. There, numbers
        /// and ordinary words are shown.
        case hiddenUnlessPlain
    }

    /// Of longer names, only the end is checked, so that the cost is linear in the text's length.
    static let nameLimit = 256
    private static let ambiguous: Set<String> = ["code", "key", "sign", "ticket"]
    // Words that describe a secret and aren't secret.
    private static let describing: Set<String> = [
        "alg", "algorithm", "count", "enabled", "endpoint", "error", "expiration", "expires",
        "expiry",
        "interceptor", "len", "length", "lifetime", "limit", "limits", "method", "methods",
        "required",
        "size", "status", "supported", "ttl", "type", "types", "usage", "used", "version",
    ]

    private let shown: Set<String>
    // By first letter.
    private let terms: [UInt8: [[UInt8]]]

    init(hidden: Set<String>, shown: Set<String>) {
        let spelled = hidden.map { Letters(Array($0.utf8)[...]).bytes }.filter { !$0.isEmpty }
        terms = Dictionary(grouping: spelled) { $0[0] }
        self.shown = Set(
            shown.map { String(decoding: Letters(Array($0.utf8)[...]).bytes, as: UTF8.self) }
        )
    }

    func isHidden(_ name: String) -> Bool { visibility(of: Array(name.utf8)[...]) != .shown }

    func visibility(of name: ArraySlice<UInt8>) -> Visibility {
        let letters = Letters(Self.decoded(name.suffix(Self.nameLimit)))
        var visibility = Visibility.shown
        for start in letters.bytes.indices {
            for term in terms[letters.bytes[start]] ?? [] where letters.has(term, at: start) {
                let text = String(decoding: term, as: UTF8.self)
                let isAmbiguous =
                    Self.ambiguous.contains(text)
                    && (text == "code" || term.count == letters.bytes.count)
                if !isAmbiguous { return isExempt(letters) ? .shown : .hidden }
                visibility = .hiddenUnlessPlain
            }
        }
        return visibility == .shown || isExempt(letters) ? .shown : visibility
    }

    private func isExempt(_ letters: Letters) -> Bool {
        if shown.contains(String(decoding: letters.bytes, as: UTF8.self)) { return true }
        let words = letters.lastTwoWords
        if Self.describing.contains(words.last) { return true }
        return ["in", "at"].contains(words.last) && words.previous.begins(with: "expire")
    }

    // A URL within a URL is encoded more than once.
    private static func decoded(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var name = name
        for _ in 0..<3 {
            guard name.contains(UInt8(ascii: "%")) else { break }
            name =
                Array(PercentEncoding.decode(String(decoding: name, as: UTF8.self)).utf8)[...]
        }
        return name
    }

    /// Whether a value with an ambiguous name may be shown: a number, a short text, or words.
    static func isPlain(_ value: ArraySlice<UInt8>) -> Bool {
        if value.count <= 8 || value.allSatisfy({ 48...57 ~= $0 || "+-.".utf8.contains($0) }) {
            return true
        }
        return value.count <= 64
            && value.allSatisfy { 97...122 ~= $0 | 0x20 || " _-.".utf8.contains($0) }
    }
}

/// A name's letters in lower case, and the beginnings of its words.
private struct Letters {
    private(set) var bytes: [UInt8] = []
    private var begins: [Bool] = []

    init(_ name: ArraySlice<UInt8>) {
        var wasLetter = false
        var wasUpper = false
        for index in name.indices {
            let byte = name[index]
            let isUpper = 65...90 ~= byte
            guard isUpper || 97...122 ~= byte || byte >= 0x80 else {
                wasLetter = false
                continue
            }
            // The last of several capitals begins a word if a small letter follows, as in `APIKey`.
            let isFollowed = index + 1 < name.endIndex && 97...122 ~= name[index + 1]
            begins.append(!wasLetter || (isUpper && (!wasUpper || isFollowed)))
            bytes.append(isUpper ? byte | 0x20 : byte)
            (wasLetter, wasUpper) = (true, isUpper)
        }
    }

    func has(_ term: [UInt8], at start: Int) -> Bool {
        let end = start + term.count
        guard end <= bytes.count, bytes[start..<end].elementsEqual(term) else { return false }
        if term.count >= 5 || (term.count >= 3 && end == bytes.count) { return true }
        return (start == 0 || begins[start]) && (end == bytes.count || begins[end])
    }

    var lastTwoWords: (previous: String, last: String) {
        let last = begins.lastIndex(of: true) ?? 0
        let previous = begins[..<last].lastIndex(of: true) ?? 0
        return (
            String(decoding: bytes[previous..<last], as: UTF8.self),
            String(decoding: bytes[last...], as: UTF8.self)
        )
    }
}
