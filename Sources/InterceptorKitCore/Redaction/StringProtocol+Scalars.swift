// A Character includes the combining marks after it: `;` with U+0301 is not the Character `;`, but every other reader
// finds the byte of `;` there. So text from outside is never compared by Character.
// Inlinable, so that the modules above specialize it.
extension StringProtocol {
    /// Whether the text begins with the bytes of another.
    @inlinable
    package func begins(with text: some StringProtocol) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the text ends with the bytes of another.
    @inlinable
    package func ends(with text: some StringProtocol) -> Bool {
        utf8.suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// Whether this text contains the bytes of another.
    @inlinable
    package func holds(_ text: some StringProtocol) -> Bool { byteRange(of: text) != nil }

    /// Returns the first range with the bytes of another text.
    @inlinable
    package func byteRange(of text: some StringProtocol) -> Range<String.Index>? {
        let bytes = utf8
        guard let first = text.utf8.first else { return startIndex..<startIndex }
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first) {
            let rest = bytes[found...]
            if rest.starts(with: text.utf8) {
                return found..<bytes.index(found, offsetBy: text.utf8.count)
            }
            start = bytes.index(after: found)
        }
        return nil
    }

    /// Returns the rest after another text, if this one begins with it.
    @inlinable
    package func rest(after text: some StringProtocol) -> SubSequence? {
        guard begins(with: text) else { return nil }
        return self[utf8.index(startIndex, offsetBy: text.utf8.count)...]
    }

    /// Returns the rest before another text, if this one ends with it.
    @inlinable
    package func rest(before text: some StringProtocol) -> SubSequence? {
        guard ends(with: text) else { return nil }
        return self[..<utf8.index(endIndex, offsetBy: -text.utf8.count)]
    }

    /// Returns the scalars at the beginning that satisfy a condition.
    @inlinable
    package func beginning(while condition: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[..<(unicodeScalars.firstIndex { !condition($0) } ?? endIndex)]
    }

    /// Returns the text before the first occurrence of a scalar; all of it if there is none.
    @inlinable
    package func beginning(before scalar: Unicode.Scalar) -> SubSequence {
        beginning { $0 != scalar }
    }

    /// Returns the parts between the occurrences of a scalar.
    @inlinable
    package func split(
        at separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        unicodeScalars.split(
            separator: separator,
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }
}
