/// Hides secrets in a URL, or in invalid text in its place.
///
/// Accepts text that no parser accepts, because refused text is shown too, and hides too much rather than too little: a
/// password may contain characters that must be encoded, such as `#`, `?` and `/`.
struct URLHiding {
    private let bytes: [UInt8]
    private let redaction: Redaction
    private let depth: Int
    private var shown: [UInt8] = []

    init(_ bytes: [UInt8], _ redaction: Redaction, depth: Int = 0) {
        self.bytes = bytes
        self.redaction = redaction
        self.depth = depth
    }

    /// Whether a URL has no user information, parameter, escape, token or URL within it, so that nothing of it is
    /// hidden.
    ///
    /// Most URLs have none, and an observed call shows its own several times.
    static func showsAll(of text: String) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        // Whether only a scheme was seen, and the slashes after it.
        var isScheme = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "="),
                UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "%"):
                return false
            case UInt8(ascii: "J") where before == (UInt8(ascii: "e"), UInt8(ascii: "y")):
                return false
            case UInt8(ascii: "/") where before == (UInt8(ascii: ":"), UInt8(ascii: "/")):
                guard isScheme else { return false }
                isScheme = false
            case UInt8(ascii: "/"):
                if before.1 != UInt8(ascii: ":") { isScheme = false }
            default:
                if before.1 == UInt8(ascii: "/") || !isSchemeByte(byte) { isScheme = false }
            }
            before = (before.1, byte)
        }
        return true
    }

    consuming func run() -> [UInt8] {
        let start = authorityStart
        var position = start.index
        shown += bytes[..<position]
        if let at = userInformationEnd(from: start) {
            shown += Redaction.placeholderBytes
            position = at
        }
        let path = bytes[position...].prefix { !"?#".utf8.contains($0) }
        hidePath(path)
        if path.endIndex < bytes.count {
            shown.append(bytes[path.endIndex])
            shown += redaction.pairs(bytes[(path.endIndex + 1)...], depth: depth)
        }
        return shown
    }

    // After the first slashes of an address, of which there may be too few, or which may be backslashes, as browsers
    // accept; at the beginning if there are none.
    private var authorityStart: (index: Int, isMarked: Bool) {
        let scheme = bytes.prefix { Self.isSchemeByte($0) }
        let slashes = bytes[scheme.endIndex...].prefix(while: Self.isSlash)
        let isScheme = scheme.last == UInt8(ascii: ":") && !slashes.isEmpty
        return isScheme || (scheme.isEmpty && slashes.count > 1)
            ? (slashes.endIndex, true) : (0, false)
    }

    // Returns the index of the `@` after a user's name and password, if there is one.
    private func userInformationEnd(from start: (index: Int, isMarked: Bool)) -> Int? {
        let authority = bytes[start.index...].prefix { !"/?#\\".utf8.contains($0) }
        // An `@` in a parameter's value belongs to a mail address.
        let end = bytes[authority.endIndex...].firstIndex(of: UInt8(ascii: "=")) ?? bytes.count
        guard !authority.contains(UInt8(ascii: "@")) else {
            return start.isMarked
                ? bytes[start.index..<end].lastIndex(of: UInt8(ascii: "@"))
                : authority.lastIndex(of: UInt8(ascii: "@"))
        }
        guard authority.endIndex < bytes.count, authority.first != UInt8(ascii: "["),
            let colon = authority.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let rest = bytes[authority.endIndex...]
        let last = bytes[authority.endIndex..<end].lastIndex(of: UInt8(ascii: "@"))
        // A host's colon is followed by a number.
        let port = authority[(colon + 1)...]
        guard !port.isEmpty, port.count <= 5, port.allSatisfy({ 48...57 ~= $0 }) else {
            return last ?? rest.firstIndex(of: UInt8(ascii: "@"))
        }
        guard start.isMarked, let last else { return nil }
        if bytes[authority.endIndex] == UInt8(ascii: "/") {
            // After a host without a dot, the beginning of a password may look like a port.
            let host = authority[..<colon]
            let segment = rest.dropFirst().prefix { !"/=".utf8.contains($0) }
            guard !host.contains(UInt8(ascii: ".")), !host.elementsEqual("localhost".utf8),
                let at = segment.lastIndex(of: UInt8(ascii: "@")), at > segment.startIndex
            else { return nil }
            return at
        }
        return last
    }

    // Hides parameters of segments, as `;jsessionid=…`, tokens as segments, and URLs within the path.
    private mutating func hidePath(_ path: ArraySlice<UInt8>) {
        var position = path.startIndex
        var isFirst = true
        while position <= path.endIndex {
            let segment = path[position...].prefix { $0 != UInt8(ascii: "/") }
            if !isFirst { shown.append(UInt8(ascii: "/")) }
            if segment.last == UInt8(ascii: ":"), path[segment.endIndex...].starts(with: "//".utf8)
            {
                shown += redaction.text(Array(path[position...]), depth: depth + 1)
                return
            }
            if Redaction.isWebToken(segment) {
                shown += Redaction.placeholderBytes
            } else if segment.contains(where: { "=;&%".utf8.contains($0) }) {
                shown += redaction.pairs(segment, depth: depth)
            } else {
                shown += segment
            }
            isFirst = false
            position = segment.endIndex + 1
        }
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x5C }

    // Includes the colons of schemes within schemes, as in `jdbc:postgresql://`.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 65...90, 97...122, 48...58, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

extension Redaction {
    static let placeholderBytes = Array(placeholder.utf8)

    /// Returns the parameters of a URL's query, a fragment or a form, with the values of hidden names hidden.
    ///
    /// Names begin after any sign that some server accepts between parameters; a hidden value ends only at the next `&`
    /// or line break, because a secret may contain the other signs.
    func pairs(_ bytes: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        var shown: [UInt8] = []
        shown.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let name = bytes[position...].prefix { !Self.endsName($0) }
            guard name.endIndex < bytes.endIndex else {
                shown += value(name, depth: depth)
                break
            }
            let sign = bytes[name.endIndex]
            position = name.endIndex + 1
            guard sign == UInt8(ascii: "=") else {
                shown += value(name, depth: depth)
                shown.append(sign)
                continue
            }
            shown += name
            shown.append(sign)
            let isHidden = names.visibility(of: name) != .shown
            let end = bytes[position...].firstIndex {
                isHidden ? Self.endsHiddenValue($0) : $0 != UInt8(ascii: "=") && Self.endsName($0)
            }
            let value = bytes[position..<(end ?? bytes.endIndex)]
            shown +=
                isHidden && !value.isEmpty ? Self.placeholderBytes : self.value(value, depth: depth)
            position = value.endIndex
            if position < bytes.endIndex {
                shown.append(bytes[position])
                position += 1
            }
        }
        return shown
    }

    // Hides the whole value if it contains an encoded secret: a URL, a form or JSON.
    func value(_ value: ArraySlice<UInt8>, depth: Int) -> [UInt8] {
        var decoded = Array(value)
        for _ in 0..<3 where decoded.contains(where: { $0 == 0x25 || $0 == 0x2B }) {
            let blanks = decoded.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            decoded = Array(
                PercentEncoding.decode(String(decoding: blanks, as: UTF8.self)).utf8
            )
        }
        guard Self.mayHaveSecrets(decoded) else { return Array(value) }
        return text(decoded, depth: depth + 1) == decoded ? Array(value) : Self.placeholderBytes
    }

    private static func endsName(_ byte: UInt8) -> Bool { "=&;?#\r\n".utf8.contains(byte) }

    private static func endsHiddenValue(_ byte: UInt8) -> Bool { "&\r\n".utf8.contains(byte) }
}
