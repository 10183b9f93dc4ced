import InterceptorKit

extension TemplateScheme.ParsedSignature {
    /// Reads the values of a template from a text. Each value ends where the template's next fixed text begins.
    /// - Returns: Whether the text matches the template.
    mutating func read(_ template: SignatureTemplate, from text: some Collection<UInt8>) -> Bool {
        var rest = Array(text)[...]
        var pieces = template.pieces[...]
        while let piece = pieces.popFirst() {
            switch piece {
            case .literal(let literal):
                guard rest.starts(with: literal.utf8) else { return false }
                rest = rest.dropFirst(literal.utf8.count)
            case .value(let value):
                var end = rest.endIndex
                if case .literal(let next)? = pieces.first {
                    guard let start = rest.firstRange(of: Array(next.utf8))?.lowerBound else {
                        return false
                    }
                    end = start
                } else if !pieces.isEmpty {
                    // Nothing separates two adjacent values.
                    return false
                }
                guard note(value, rest[..<end]) else { return false }
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }

    /// A generous limit: senders list more than one signature only while a key is replaced.
    private static let longestList = 64

    /// Reads the same from a comma-separated list, which may have unknown elements and several signatures.
    mutating func readList(_ template: SignatureTemplate, from text: [UInt8]) -> Bool {
        guard text.count(where: { $0 == UInt8(ascii: ",") }) < Self.longestList else {
            return false
        }
        let elements = text.split(separator: UInt8(ascii: ",")).map { element in
            element.drop { $0 == 0x20 || $0 == 0x09 }
        }
        return template.split(at: ",").allSatisfy { part in
            var isFound = false
            for element in elements {
                var copy = self
                guard copy.read(part, from: element) else { continue }
                self = copy
                isFound = true
            }
            return isFound
        }
    }

    /// Stores a value; returns `false` if an earlier part of the request had a different one.
    private mutating func note(_ value: SignatureValue.Kind, _ bytes: ArraySlice<UInt8>) -> Bool {
        if value == .signature {
            signatures.append(Array(bytes))
            return true
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        switch value {
        case .keyID:
            guard keyID == nil || keyID == text else { return false }
            keyID = text
        case .nonce:
            guard nonce == nil || nonce == text else { return false }
            nonce = text
        case .time(let format):
            guard format.hasSeconds else { return true }
            guard let read = format.milliseconds(text) else { return false }
            guard milliseconds == nil || milliseconds == read else { return false }
            milliseconds = read
        default: break
        }
        return true
    }
}

extension SignatureTemplate {
    /// Splits the template at a character of its fixed text.
    fileprivate func split(at separator: Unicode.Scalar) -> [SignatureTemplate] {
        var parts = [SignatureTemplate()]
        for piece in pieces {
            guard case .literal(let text) = piece else {
                parts[parts.count - 1].pieces.append(piece)
                continue
            }
            for (index, run) in text.split(at: separator, omittingEmptySubsequences: false)
                .enumerated()
            {
                if index > 0 { parts.append(SignatureTemplate()) }
                parts[parts.count - 1].append(String(run))
            }
        }
        return parts
    }
}
