public import InterceptorKit

/// A value in a ``SignatureTemplate``, from the request or its key.
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

    /// The method, such as `GET`.
    public static let method = SignatureValue(.method)
    /// The host in lower case, with the port unless it is the scheme's default.
    public static let host = SignatureValue(.authority)
    /// The whole URL without its fragment.
    public static let url = SignatureValue(.url)
    /// Scheme, host and path: the base string URI of OAuth (RFC 5849 section 3.4.1.2).
    public static let baseURL = SignatureValue(.baseURL)
    /// The path as sent; `/` if it is empty.
    public static let path = SignatureValue(.path)
    /// The query as sent, without its `?`; empty if there is none.
    public static let query = SignatureValue(.query)
    /// The path and query as sent.
    public static let requestTarget = SignatureValue(.target)
    /// The id of the key.
    public static let keyID = SignatureValue(.keyID)
    /// The token that came with the key; empty if there is none.
    public static let token = SignatureValue(.token)
    /// The secret itself, for schemes that hash it together with the text.
    public static let secret = SignatureValue(.secret)
    /// A number used once, in hexadecimal digits.
    public static let nonce = SignatureValue(.nonce)
    /// The signature, for use in the template of its own place.
    public static let signature = SignatureValue(.signature)
    /// The content, which must be in memory.
    public static let body = SignatureValue(.body)

    /// Returns the parameters, sorted and joined.
    public static func parameters(_ parameters: RequestParameters = RequestParameters())
        -> SignatureValue
    {
        SignatureValue(.parameters(parameters))
    }

    /// Returns a header field's value; empty if the field is missing.
    public static func field(_ name: String) -> SignatureValue { SignatureValue(.field(name)) }

    /// Returns header fields as lines `name:value`, each ending in a line feed. Names are in lower case and sorted,
    /// values have no surrounding white space, and repeated values are joined with commas.
    /// - Parameters:
    ///   - fields: The fields.
    ///   - hasHost: Whether to include `host`, from the URL if there is no such field. Defaults to `false`.
    ///   - isLowercase: Whether the letters A to Z in values are converted to lower case. Defaults to `false`.
    ///   - sortsValues: Whether repeated values of one name are sorted. Defaults to `false`, the request's order.
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

    /// Returns the names of these fields, joined with semicolons.
    public static func fieldNames(_ fields: SignedFields, hasHost: Bool = false) -> SignatureValue {
        SignatureValue(.fieldNames(fields, hasHost: hasHost))
    }

    /// Returns the time of the signature.
    public static func time(_ format: SignatureTimeFormat) -> SignatureValue {
        SignatureValue(.time(format))
    }

    /// Returns the content's hash. A request without content has the hash of zero bytes.
    /// - Parameters:
    ///   - algorithm: The hash function.
    ///   - encoding: The hash's encoding. Defaults to hexadecimal digits in lower case.
    ///   - skipsForms: Whether the value is empty for forms and for requests without content, for schemes that sign a
    ///     form's parameters and the hash of any other content. Defaults to `false`.
    public static func bodyHash(
        _ algorithm: HashAlgorithm,
        as encoding: SignatureEncoding = .hexadecimal,
        skipsForms: Bool = false
    ) -> SignatureValue {
        SignatureValue(.bodyHash(algorithm, encoding, skipsForms: skipsForms))
    }

    /// Returns the hash of a text.
    public static func hash(
        _ algorithm: HashAlgorithm,
        of template: SignatureTemplate,
        as encoding: SignatureEncoding = .hexadecimal
    ) -> SignatureValue {
        SignatureValue(.hash(algorithm, template, encoding))
    }

    /// Returns a text percent-encoded, except for unreserved characters (RFC 3986 section 2.3).
    public static func encoded(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.encoded(template))
    }

    /// Returns a text with the letters a to z in upper case.
    public static func uppercased(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.uppercased(template))
    }

    /// Returns a text in base64 (RFC 4648 section 4).
    public static func base64(_ template: SignatureTemplate) -> SignatureValue {
        SignatureValue(.base64(template))
    }
}
