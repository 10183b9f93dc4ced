extension HTTP {
    /// The common grammar of header fields (RFC 9110 section 5.6).
    public enum FieldSyntax {}
}

extension HTTP.FieldSyntax {
    /// Compares field names: letters without regard to case, other characters exactly.
    @inlinable @inline(__always)
    public static func isSameName(_ left: String, _ right: String) -> Bool {
        // Inlined, because most names differ in length.
        left.utf8.count == right.utf8.count && hasSameLetters(left, right)
    }

    @usableFromInline
    static func hasSameLetters(_ left: String, _ right: String) -> Bool {
        var left = left
        var right = right
        return left.withUTF8 { left in
            right.withUTF8 { right in
                // Safety: the closure gets bytes alone.
                unsafe left.elementsEqual(right) {
                    $0 == $1 || (isLetter($0) && ($0 ^ $1) == 0x20)
                }
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    /// Returns whether text is a token (RFC 9110 section 5.6.2).
    public static func isToken(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // Safety: the buffer is read in the closure alone.
            for index in bytes.indices where unsafe !isTokenByte(bytes[index]) { return false }
            return !bytes.isEmpty
        }
    }

    // A bit for each byte from 0 to 63 and from 64 to 127: letters, digits and !#$%&'*+-.^_`|~.
    private static let lowTokenBytes: UInt64 = 0x03FF_6CFA_0000_0000
    private static let highTokenBytes: UInt64 = 0x57FF_FFFF_C7FF_FFFE

    @inline(__always)
    static func isTokenByte(_ byte: UInt8) -> Bool {
        let bits = byte < 64 ? lowTokenBytes : highTokenBytes
        return byte < 128 && (bits &>> UInt64(byte & 63)) & 1 == 1
    }

    /// Returns text as a quoted string (RFC 9110 section 5.6.4), with quotes and backslashes escaped.
    ///
    /// Control characters stay unchanged; a field that contains them is refused when it is sent.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// Returns text without the spaces and tabs around it (`OWS`, RFC 9110 section 5.6.3).
    public static func trimmed(_ value: String) -> String {
        func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
        var text = value
        let isTrimmed = text.withUTF8 { bytes in
            unsafe !isBlank(bytes.first) && !isBlank(bytes.last)
        }
        if isTrimmed { return value }
        var rest = value.utf8[...]
        while isBlank(rest.first) { rest.removeFirst() }
        while isBlank(rest.last) { rest.removeLast() }
        return String(Substring(rest))
    }
}

extension HTTP.FieldSyntax {
    // One private-use character for each byte from 0x80 to 0xFF, as MirOS assigns them (OPTU-16).
    private static let privateBytes: ClosedRange<UInt32> = 0xEF80...0xEFFF

    /// Returns the bytes of a field value as text, from which ``bytes(of:)`` restores the same bytes.
    ///
    /// A value is usually UTF-8, but may contain any bytes (`obs-text`, RFC 9110 section 5.5), such as ISO-8859-1. Each
    /// byte that is not UTF-8 becomes the one of 128 private-use characters, U+EF80 to U+EFFF, that has the byte as its
    /// last eight bits. If the value contains such a character itself, its bytes are replaced too. Two values therefore
    /// never become the same text, and a server's value, such as a tag or a cookie, can be stored, compared and sent
    /// back.
    ///
    /// `CurlTransport` receives values in this form, and sends them with ``bytes(of:)``. `URLSessionTransport` and
    /// `AsyncHTTPClientTransport` do not preserve the bytes.
    /// - Parameter bytes: The value.
    @inlinable
    public static func text(of bytes: some Collection<UInt8>) -> String {
        // Inlined, because a generic call from another module costs more than all the rest.
        // Safety: the buffer is read in the closure alone.
        let text = bytes.withContiguousStorageIfAvailable { unsafe decoded($0) }
        return unsafe text ?? Array(bytes).withUnsafeBufferPointer { unsafe decoded($0) }
    }

    @usableFromInline
    static func decoded(_ buffer: UnsafeBufferPointer<UInt8>) -> String {
        // Safety: the text has bytes of its own, and the buffer is not kept.
        if unsafe !ByteMarks.mayMark(UnsafeRawBufferPointer(buffer), ByteMarks.nonASCII) {
            return unsafe String(decoding: buffer, as: UTF8.self)
        }
        if let text = unsafe String(validating: buffer, as: UTF8.self), !mayHavePrivate(text) {
            return text
        }
        let bytes = unsafe Array(buffer)
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while true {
            let count: Int
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return text
            case .error(let length): count = length
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                count = encoded.count
                guard privateBytes.contains(scalar.value) else {
                    text.unicodeScalars.append(scalar)
                    offset += count
                    continue
                }
            }
            for byte in bytes[offset..<offset + count] {
                text.unicodeScalars.append(Unicode.Scalar(0xEF00 | UInt32(byte)) ?? "\u{FFFD}")
            }
            offset += count
        }
    }

    /// Returns the bytes of a field value that ``text(of:)`` made: one byte for each private-use character from U+EF80
    /// to U+EFFF, and UTF-8 for all others.
    public static func bytes(of text: String) -> [UInt8] {
        guard mayHavePrivate(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if privateBytes.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// Lends the bytes of ``bytes(of:)``, without a copy where they are those of the text.
    package static func withBytes<Result>(
        of text: String,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if mayHavePrivate(text) { return unsafe bytes(of: text).withUnsafeBytes(body) }
        var text = text
        return text.withUTF8 { bytes in unsafe body(UnsafeRawBufferPointer(bytes)) }
    }

    // 0xEE is the first byte of each private-use character in UTF-8.
    private static func mayHavePrivate(_ text: String) -> Bool { ByteMarks.holds(0xEE, text) }
}
