public import InterceptorKit

/// Something of a request, or of what it is signed with, in a ``SignatureTemplate``.
public struct SignatureValue: Sendable, Hashable {
    indirect enum Kind: Sendable, Hashable {
        case method, authority, url, baseURL, path, query, target
        case parameters(RequestParameters)
        case field(String)
        case fieldLines(SignedFields, hasHost: Bool, isLowercase: Bool, sortsValues: Bool)
        case fieldNames(SignedFields, hasHost: Bool)
        case keyID, token, secret, nonce, signature
        case time(SignatureTimeFormat)
        case body
        case bodyHash(HashAlgorithm, SignatureEncoding, skipsForms: Bool)
        case hash(HashAlgorithm, SignatureTemplate, SignatureEncoding)
        case encoded(SignatureTemplate)
        case uppercased(SignatureTemplate)
        case base64(SignatureTemplate)

        var inner: SignatureTemplate? {
            switch self {
            case .hash(_, let template, _), .encoded(let template), .uppercased(let template),
                .base64(let template):
                template
            default: nil
            }
        }
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// The method, as in `GET`.
    public static let method = SignatureValue(.method)
    /// The host in lower case, with the port unless it is the scheme's own.
    public static let host = SignatureValue(.authority)
    /// The whole URL but for its fragment.
    public static let url = SignatureValue(.url)
    /// Scheme, host and path in one, the base string URI of OAuth (RFC 5849 section 3.4.1.2).
    public static let baseURL = SignatureValue(.baseURL)
    /// The path as on the wire, `/` if it is empty.
    public static let path = SignatureValue(.path)
    /// The query as on the wire, without its `?`; nothing if there is none.
    public static let query = SignatureValue(.query)
    /// Path and query as on the wire.
    public static let requestTarget = SignatureValue(.target)
    /// The id of the key.
    public static let keyID = SignatureValue(.keyID)
    /// The token that came with the key; nothing without one.
    public static let token = SignatureValue(.token)
    /// The secret itself, for schemes that hash it along with the text.
    public static let secret = SignatureValue(.secret)
    /// A number used once, in hexadecimal digits.
    public static let nonce = SignatureValue(.nonce)
    /// The signature, in the text that it is sent in.
    public static let signature = SignatureValue(.signature)
    /// The content, which must be in memory.
    public static let body = SignatureValue(.body)

    /// Parameters, sorted and joined.
    public static func parameters(_ parameters: RequestParameters = RequestParameters())
        -> SignatureValue
    {
        SignatureValue(.parameters(parameters))
    }

    /// A header field's value; nothing if there is no such field.
    public static func field(_ name: String) -> SignatureValue { SignatureValue(.field(name)) }

    /// Header fields as lines `name:value` with a line feed each, names in lower case and sorted, values
    /// without the blanks around them, several of one name joined with commas.
    /// - Parameters:
    ///   - fields: Which.
    ///   - hasHost: Whether `host` is one, from the URL if there is no such field. Defaults to `false`.
    ///   - isLowercase: Whether the letters A to Z of values are put in lower case. Defaults to `false`.
    ///   - sortsValues: Whether several values of one name are sorted. Defaults to `false`: they stay in
    ///     the request's order.
    public static func fieldLines(
        _ fields: SignedFields,
        hasHost: Bool = false,
        isLowercase: Bool = false,
        sortsValues: Bool = false
    ) -> SignatureValue {
        SignatureValue(
            .fieldLines(
                fields,
                hasHost: hasHost,
                isLowercase: isLowercase,
                sortsValues: sortsValues
            )
        )
    }

    /// The names of such fields, joined with semicolons.
    public static func fieldNames(_ fields: SignedFields, hasHost: Bool = false) -> SignatureValue {
        SignatureValue(.fieldNames(fields, hasHost: hasHost))
    }

    /// When the signature is made.
    public static func time(_ format: SignatureTimeFormat) -> SignatureValue {
        SignatureValue(.time(format))
    }

    /// The content's hash; that of no bytes without content.
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - encoding: How it is written. Defaults to hexadecimal digits in lower case.
    ///   - skipsForms: Whether forms and requests without content have none, for schemes that sign a
    ///     form's parameters and the hash of all other content. Defaults to `false`.
    public static func bodyHash(
        _ algorithm: HashAlgorithm,
        as encoding: SignatureEncoding = .hexadecimal,
        skipsForms: Bool = false
    ) -> SignatureValue {
        SignatureValue(.bodyHash(algorithm, encoding, skipsForms: skipsForms))
    }

    /// The hash of a text.
    public static func hash(
        _ algorithm: HashAlgorithm,
        of template: SignatureTemplate,
        as encoding: SignatureEncoding = .hexadecimal
    ) -> SignatureValue {
        SignatureValue(.hash(algorithm, template, encoding))
    }

    /// A text, percent-encoded but for unreserved characters (RFC 3986 section 2.3).
    public static func encoded(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.encoded(template))
    }

    /// A text with the letters a to z in upper case.
    public static func uppercased(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.uppercased(template))
    }

    /// A text in base64 (RFC 4648 section 4).
    public static func base64(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.base64(template))
    }
}
