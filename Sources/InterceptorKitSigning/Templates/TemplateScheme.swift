public import InterceptorKit

/// A signature scheme that is described by templates, for most gateways, clouds and webhooks.
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
/// To sign, the scheme adds the additions to the request, renders the text to sign and puts the signature in its place.
/// To verify, it reads the values back and renders the text again. For ready-made schemes of known services, see
/// <doc:SignatureSchemes>.
public struct TemplateScheme: SignatureScheme {
    /// A field, parameter or element that the scheme adds to a request.
    public struct Addition: Sendable, Hashable {
        enum Place: Sendable, Hashable {
            case field(String)
            case parameter(String)
            case form(String)
            case element(String, of: String, scheme: String)

            var name: String {
                switch self {
                case .field(let name), .parameter(let name), .form(let name),
                    .element(let name, _, _):
                    name
                }
            }
        }

        let place: Place
        let template: SignatureTemplate
        /// Whether the addition is left out if its text is empty. Defaults to `false`.
        public var isOmittedWhenEmpty = false

        /// Returns a header field.
        public static func field(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .field(name), template: template)
        }

        /// Returns a query parameter.
        public static func parameter(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .parameter(name), template: template)
        }

        /// Returns a parameter of the form in the content, which must be in memory. Empty content becomes a form.
        public static func form(_ name: String, _ template: SignatureTemplate) -> Addition {
            Addition(place: .form(name), template: template)
        }

        /// Returns an element `name="value"`, percent-encoded, of a header field that lists elements.
        /// - Parameters:
        ///   - name: The element's name.
        ///   - field: The field's name. Defaults to `Authorization`.
        ///   - scheme: The word before the first element, such as `OAuth`.
        ///   - template: The element's value.
        public static func element(
            _ name: String,
            of field: String = "Authorization",
            scheme: String,
            _ template: SignatureTemplate
        ) -> Addition {
            Addition(place: .element(name, of: field, scheme: scheme), template: template)
        }

        /// A copy that is left out if its text is empty.
        public var omittedWhenEmpty: Addition {
            var copy = self
            copy.isOmittedWhenEmpty = true
            return copy
        }
    }

    /// The additions to a request before it is signed, in this order.
    public var additions: [Addition]
    /// The text to sign.
    public var stringToSign: SignatureTemplate
    /// The signature function.
    public var function: SignatureFunction
    /// The signature's encoding.
    public var encoding: SignatureEncoding
    /// The place of the signature; its template contains ``SignatureValue/signature``.
    public var signature: Addition
    /// Whether the place of the signature holds a comma-separated list, like Stripe's, in which a verifier reads the
    /// elements that it knows. Defaults to `false`.
    public var isListOfSignatures = false

    /// Creates a scheme.
    /// - Parameters:
    ///   - additions: The additions to a request before it is signed, in this order. Defaults to none.
    ///   - text: The text to sign.
    ///   - function: The signature function.
    ///   - encoding: The signature's encoding. Defaults to hexadecimal digits in lower case.
    ///   - signature: The place of the signature.
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

    /// Computes and encodes the signature of a text.
    func code(for text: [UInt8], _ renderer: TemplateRenderer) throws -> [UInt8] {
        switch function.kind {
        case .plain: return encoding.text(text)
        case .hash(let algorithm):
            return encoding.text(Array(algorithm.hash(text)))
        case .hmac(let algorithm, let key, let derivation):
            let secret = try renderer.bytes(of: key)
            var derived: HashAlgorithm.Digest?
            for step in derivation {
                let bytes = try renderer.bytes(of: step)
                derived =
                    if let key = derived {
                        algorithm.authenticationCode(of: bytes, key: key)
                    } else {
                        algorithm.authenticationCode(of: bytes, key: secret)
                    }
            }
            let code =
                if let key = derived {
                    algorithm.authenticationCode(of: text, key: key)
                } else {
                    algorithm.authenticationCode(of: text, key: secret)
                }
            return encoding.text(Array(code))
        }
    }
}
