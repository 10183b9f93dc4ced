public import InterceptorKit

/// A signature over a text that a template describes: one value for most of what gateways, clouds and
/// webhooks ask for.
///
/// ```swift
/// let scheme = TemplateScheme(
///     adding: [.field("X-Slack-Request-Timestamp", "\(.time(.seconds))")],
///     signing: "v0:\(.time(.seconds)):\(.body)",
///     with: .hmac(.sha256),
///     as: .hexadecimal,
///     in: .field("X-Slack-Signature", "v0=\(.signature)")
/// )
/// ```
///
/// To sign, the additions are put into the request, the text is written from it, and its signature goes
/// to its place. To verify, the same is read back and written again. Schemes of known services are
/// ready: see <doc:SignatureSchemes>.
public struct TemplateScheme: SignatureScheme {
    /// A field, parameter or element that the scheme puts into a request.
    public struct Addition: Sendable, Hashable {
        enum Place: Sendable, Hashable {
            case field(String)
            case parameter(String)
            case form(String)
            case element(String, of: String, scheme: String)
        }

        let place: Place
        let template: SignatureTemplate
        /// Whether it is left out where its text is empty. Defaults to `false`.
        public var isOmittedWhenEmpty = false

        /// A header field.
        public static func field(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .field(name), template: template)
        }

        /// A parameter in the query.
        public static func parameter(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .parameter(name), template: template)
        }

        /// A parameter of a form in the content, which must be in memory and is made if it is empty.
        public static func form(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .form(name), template: template)
        }

        /// An element `name="value"`, percent-encoded, of a header field that lists them.
        /// - Parameters:
        ///   - name: The element's name.
        ///   - field: The field's. Defaults to `Authorization`.
        ///   - scheme: The word before the first element, as in `OAuth`.
        ///   - template: The value.
        public static func element(
            _ name: String,
            of field: String = "Authorization",
            scheme: String,
            _ template: SignatureTemplate
        ) -> Addition {
            Addition(place: .element(name, of: field, scheme: scheme), template: template)
        }

        /// The same, left out where its text is empty.
        public var omittedWhenEmpty: Addition {
            var copy = self
            copy.isOmittedWhenEmpty = true
            return copy
        }
    }

    /// What is put into a request before it is signed, in this order.
    public var additions: [Addition]
    /// What is signed.
    public var stringToSign: SignatureTemplate
    /// How the signature is made.
    public var function: SignatureFunction
    /// How the signature is written.
    public var encoding: SignatureEncoding
    /// Where it goes; ``SignatureValue/signature`` stands in its template.
    public var signature: Addition
    /// Whether the place of the signature is a list, joined with commas, of which a verifier looks for the
    /// elements it knows, as Stripe's is. Defaults to `false`.
    public var isListOfSignatures = false

    /// Creates a scheme.
    /// - Parameters:
    ///   - additions: What is put into a request before it is signed. Defaults to nothing.
    ///   - text: What is signed.
    ///   - function: How the signature is made of it.
    ///   - encoding: How the signature is written. Defaults to hexadecimal digits in lower case.
    ///   - signature: Where it goes.
    public init(
        adding additions: [Addition] = [],
        signing text: SignatureTemplate,
        with function: SignatureFunction,
        as encoding: SignatureEncoding = .hexadecimal,
        in signature: Addition
    ) {
        self.additions = additions
        stringToSign = text
        self.function = function
        self.encoding = encoding
        self.signature = signature
    }

    public var signatureFields: [String] {
        (additions + [signature]).compactMap { addition in
            switch addition.place {
            case .field(let name), .element(_, let name, _): name
            case .parameter, .form: nil
            }
        }
    }

    public func bodyHash(for request: HTTP.Request) -> HashAlgorithm? {
        var found: HashAlgorithm?
        for template in [stringToSign, signature.template] + additions.map(\.template) {
            _ = template.contains { value in
                if case .bodyHash(let algorithm, _, _) = value { found = found ?? algorithm }
                return false
            }
        }
        return found
    }

    public func coveredFields(of request: HTTP.Request) -> [String] {
        var covered: [String] = []
        _ = stringToSign.contains { value in
            switch value {
            case .field(let name): covered.append(name)
            case .fieldLines(let fields, _, _, _):
                covered += request.headers.map { $0.name.lowercased() }.filter(fields.contains)
            default: break
            }
            return false
        }
        return covered
    }

    public func validate() throws {
        let holdsSignature = signature.template.contains { $0 == .signature }
        let others = [stringToSign] + additions.map(\.template)
        guard holdsSignature, !others.contains(where: { $0.contains { $0 == .signature } }) else {
            throw SigningError(
                .invalidScheme,
                "The signature must stand in the template of its own place, and in no other."
            )
        }
        if case .hash = function.kind, !stringToSign.contains({ $0 == .secret }) {
            throw SigningError(
                .invalidScheme,
                "The text is hashed and has no secret in it, so anyone can make such a signature. Put "
                    + "the secret into the text, or use an HMAC."
            )
        }
    }

    /// Makes the signature of a text.
    func code(for text: [UInt8], _ renderer: TemplateRenderer) throws -> [UInt8] {
        switch function.kind {
        case .plain: return encoding.text(text)
        case .hash(let algorithm):
            return encoding.text(Array(algorithm.hash(text)))
        case .hmac(let algorithm, let key, let derivation):
            func code(of bytes: [UInt8], _ key: [UInt8]) -> [UInt8] {
                Array(algorithm.authenticationCode(of: bytes, key: key))
            }
            var key = try renderer.bytes(of: key)
            for step in derivation { key = code(of: try renderer.bytes(of: step), key) }
            return encoding.text(code(of: text, key))
        }
    }
}
