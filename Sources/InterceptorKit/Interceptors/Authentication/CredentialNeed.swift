#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a rejected response asks for that a mere refresh does not bring, such as a wider scope or a stronger sign-in.
///
/// A ``CredentialSource`` that can bring it reads it from the response
/// (``CredentialSource/need(in:of:)``) and finds it in the ``RefreshContext`` of the refresh. Calls share a refresh only
/// if it meets what each of them needs. Description and mirror show only the reason.
public struct CredentialNeed: Sendable, Hashable {
    /// The largest challenge that is read, in bytes: half of what usual servers accept as a field.
    static let longestChallenge = 4096
    /// The number of scopes up to which needs are joined.
    private static let mostJoinedScopes = 64

    /// The reason of the rejection.
    public var reason: HTTP.Challenge.BearerError
    /// The scopes that the token lacks (RFC 6750 section 3), with those of the needs that the current credential was
    /// refreshed for. May be empty: a server need not name them.
    public var scopes: Set<String>
    /// The authentication contexts of which the sign-in must have one, best first (`acr_values`, RFC 9470 section 3).
    public var acrValues: [String]
    /// The longest time since the sign-in (`max_age`, RFC 9470 section 3); `nil` if the server names none.
    public var maxAge: Duration?
    /// The claims that the token must have, as JSON for the `claims` parameter of an authorization request (OpenID
    /// Connect section 5.5); `nil` if the server names none.
    public var claims: String?
    /// The nonce for the proof of a key (`DPoP-Nonce`, RFC 9449 section 9); `nil` if the server sends none.
    public var nonce: String?

    /// Creates a need, for challenges of your own server.
    /// - Parameters:
    ///   - reason: The reason of the rejection, in words of your own or of a standard. Never a secret.
    ///   - scopes: The scopes that the token lacks. Defaults to none.
    ///   - acrValues: The authentication contexts of which the sign-in must have one. Defaults to any.
    ///   - maxAge: The longest time since the sign-in. Defaults to any.
    ///   - claims: The claims that the token must have, as JSON. Defaults to none.
    ///   - nonce: The nonce for the proof of a key. Defaults to none.
    public init(
        _ reason: HTTP.Challenge.BearerError,
        scopes: Set<String> = [],
        acrValues: [String] = [],
        maxAge: Duration? = nil,
        claims: String? = nil,
        nonce: String? = nil
    ) {
        self.reason = reason
        self.scopes = scopes
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.claims = claims
        self.nonce = nonce
    }

    /// Reads the need of a response with status 401 or 403 from its `Bearer` or `DPoP` challenge.
    ///
    /// These reasons are read: `insufficient_scope` (RFC 6750), `insufficient_user_authentication` (RFC 9470),
    /// `insufficient_claims`, whose `claims` are JSON as such or in base64, as in Microsoft's claims challenge, and
    /// `use_dpop_nonce` (RFC 9449), which a `DPoPInterceptor` meets by itself.
    /// - Parameter response: The response.
    /// - Returns: `nil` if a challenge has another reason, such as `invalid_token`, or more than 4 KiB.
    public init?(in response: HTTP.Response) {
        guard response.status == 401 || response.status == 403 else { return nil }
        let challenges = response.headers.challenges().filter { $0.bearerError != nil }
        guard let challenge = challenges.first, let reason = challenge.bearerError,
            challenges.allSatisfy({ $0.bearerError.map(Self.reasons.contains) ?? false }),
            challenge.parameters.reduce(0, { $0 + $1.value.utf8.count }) <= Self.longestChallenge
        else { return nil }
        let nonce = response.headers["DPoP-Nonce"].flatMap { $0.utf8.count <= 1024 ? $0 : nil }
        self.init(
            reason,
            scopes: Set(challenge.scopes),
            acrValues: (challenge["acr_values"] ?? "").split(at: " ").map(String.init),
            maxAge: challenge["max_age"].flatMap(Self.seconds),
            claims: challenge["claims"].map(Self.json),
            nonce: reason == .useDPoPNonce ? nonce : nil
        )
    }

    private static let reasons: [HTTP.Challenge.BearerError] = [
        .insufficientScope, .insufficientUserAuthentication, .insufficientClaims, .useDPoPNonce,
    ]

    // A whole number without a sign (RFC 9470 section 3); twelve digits are 30,000 years.
    private static func seconds(_ text: String) -> Duration? {
        guard 1...12 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text).map { .seconds($0) }
    }

    private static func json(_ text: String) -> String {
        var base64 = String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "-"): UInt8(ascii: "+")
                case UInt8(ascii: "_"): UInt8(ascii: "/")
                default: byte
                }
            },
            as: UTF8.self
        )
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        return Data(base64Encoded: base64).flatMap { String(data: $0, encoding: .utf8) } ?? text
    }
}

extension CredentialNeed {
    /// Whether a credential for this need also meets another one: all but the scopes are equal, which are as many or
    /// more.
    func covers(_ other: CredentialNeed) -> Bool {
        guard scopes.isSuperset(of: other.scopes) else { return false }
        var same = other
        same.scopes = scopes
        return same == self
    }

    /// Returns this need with the scopes of the need that the current credential was refreshed for: in turn, two calls
    /// with different needs would otherwise lose what the other one got.
    func joined(with held: CredentialNeed?) -> CredentialNeed {
        guard let held else { return self }
        var joined = self
        joined.scopes.formUnion(held.scopes)
        return joined.scopes.count <= Self.mostJoinedScopes ? joined : self
    }
}

extension CredentialNeed: CustomStringConvertible {
    /// The reason, such as `insufficient_scope`.
    public var description: String {
        let text = reason.description
        return HTTP.FieldSyntax.isToken(text) ? text : HTTP.printable(text)
    }
}

extension CredentialNeed: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["need": description]) }
}
