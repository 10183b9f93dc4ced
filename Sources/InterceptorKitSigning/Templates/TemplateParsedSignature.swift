import InterceptorKit

extension TemplateScheme.ParsedSignature {
    /// Takes from a text what a template of its form says, each value up to the text that follows it.
    /// - Returns: Whether the text has that form.
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
                    // Nothing tells where one value ends and the next begins.
                    return false
                }
                guard note(value, rest[..<end]) else { return false }
                rest = rest[end...]
            }
        }
        return rest.isEmpty
    }

    /// The most elements of a list of signatures: far more than while a key is replaced.
    private static let longestList = 64

    /// The same for a list joined with commas that may have more elements, and several signatures.
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

    /// Keeps a value; what was read before must be the same.
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
            guard format.saysSecond else { return true }
            guard let read = format.milliseconds(text) else { return false }
            guard milliseconds == nil || milliseconds == read else { return false }
            milliseconds = read
        default: break
        }
        return true
    }
}

extension SignatureTemplate {
    /// The parts between some character of its fixed text.
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
