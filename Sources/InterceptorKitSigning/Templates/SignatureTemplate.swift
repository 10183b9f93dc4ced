import InterceptorKit

/// A text with placeholders for values of the request, written as a string literal.
///
/// ```swift
/// let text: SignatureTemplate = "v0:\(.time(.seconds)):\(.body)"
/// ```
public struct SignatureTemplate: Sendable, Hashable {
    indirect enum Piece: Sendable, Hashable {
        case literal(String)
        case value(SignatureValue.Kind)
    }

    var pieces: [Piece] = []

    /// The empty template.
    public static let empty = SignatureTemplate("")

    /// Creates a template with fixed text.
    public init(_ text: String) { append(text) }

    init() {}

    mutating func append(_ text: String) {
        if case .literal(let last)? = pieces.last {
            pieces[pieces.count - 1] = .literal(last + text)
        } else if !text.isEmpty {
            pieces.append(.literal(text))
        }
    }

    mutating func append(_ other: SignatureTemplate) {
        for piece in other.pieces {
            if case .literal(let text) = piece { append(text) } else { pieces.append(piece) }
        }
    }

    /// Whether the template contains a matching value, at any depth.
    func contains(_ predicate: (SignatureValue.Kind) -> Bool) -> Bool {
        pieces.contains { piece in
            guard case .value(let value) = piece else { return false }
            return predicate(value) || (value.inner?.contains(predicate) ?? false)
        }
    }
}

extension SignatureTemplate: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.template }

    /// Builds a template from a string literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var template = SignatureTemplate()

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { template.append(literal) }

        /// Appends a placeholder for a value of the request.
        public mutating func appendInterpolation(_ value: SignatureValue) {
            template.pieces.append(.value(value.kind))
        }

        /// Appends another template.
        public mutating func appendInterpolation(_ other: SignatureTemplate) {
            template.append(other)
        }

        /// Appends fixed text.
        public mutating func appendInterpolation(_ text: String) { template.append(text) }
    }
}
