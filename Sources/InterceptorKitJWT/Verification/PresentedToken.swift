#if JWT
import InterceptorKit

/// A way to send an access token in a request (RFC 6750 section 2.1, RFC 9449 section 7.1).
enum TokenScheme: String, Sendable {
    case bearer = "Bearer"
    case dpop = "DPoP"
}

/// The access token in a request's `Authorization` field, the only place that is read.
struct PresentedToken {
    let scheme: TokenScheme
    let token: String

    /// Reads the token.
    /// - Throws: `missing` if the request has none, and `invalidRequest` if it has something else in its place, or two.
    init(of request: HTTP.Request) throws(AccessTokenError) {
        let fields = request.headers.values("Authorization")
        guard let field = fields.first else { throw Self.missing }
        guard fields.count == 1 else {
            throw Self.invalid("has \(fields.count) Authorization fields")
        }
        guard let scheme = Self.scheme(of: field) else { throw Self.missing }
        // One blank follows the scheme; more are tolerated, as in RFC 9110 section 11.4.
        let bytes = field.utf8.dropFirst(scheme.rawValue.utf8.count).drop { $0 == 0x20 }
        var end = bytes.endIndex
        while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "=") {
            bytes.formIndex(before: &end)
        }
        let digits = bytes[..<end]
        guard !digits.isEmpty, digits.allSatisfy(Self.isTokenDigit) else {
            throw Self.invalid("has no single token after the scheme")
        }
        let query = request.url.query ?? ""
        guard !HTTP.FormPair.pairs(of: query.utf8).contains(where: { $0.isNamed("access_token") })
        else { throw Self.invalid("has a token in its query and in its Authorization field") }
        self.scheme = scheme
        token = String(Substring(bytes))
        guard bytes.count <= CompactSignature.sizeLimit else {
            throw AccessTokenError(
                .tooLong,
                "The token has \(bytes.count) bytes, and at most \(CompactSignature.sizeLimit) are read."
            )
        }
    }

    /// Returns the scheme of a field, compared without regard to case; `nil` for another one.
    static func scheme(of field: String) -> TokenScheme? {
        let name = String(Substring(field.utf8.prefix { $0 != 0x20 }))
        return [.bearer, .dpop].first { HTTP.FieldSyntax.isSameName($0.rawValue, name) }
    }

    /// The `token68` of RFC 9110 section 11.2, without the padding.
    private static func isTokenDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }

    private static let missing = AccessTokenError(.missing, "The request has no access token.")

    private static func invalid(_ rule: String) -> AccessTokenError {
        AccessTokenError(.invalidRequest, "The request \(rule).")
    }
}
#endif
