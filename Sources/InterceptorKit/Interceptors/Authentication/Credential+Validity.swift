#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Credential {
    /// The seconds until the expiry, negative afterwards; `nil` if unknown.
    func secondsLeft(at date: Date) -> Double? { expiresAt?.timeIntervalSince(date) }

    /// Whether the credential has expired by the local clock.
    func hasExpired(at date: Date) -> Bool { (secondsLeft(at: date) ?? .infinity) <= 0 }

    /// Throws if the credential cannot be sent or its expiry is not a possible date.
    ///
    /// An expired credential is valid here: after a week in a store it must be refreshed, not discarded.
    public func validate() throws(TokenError) {
        if let problem { throw TokenError.invalidCredential(problem) }
        for field in fields {
            let isPrintable = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            // A blank at the end means an empty token, or would not be sent.
            let isWhole =
                !field.value.isEmpty && HTTP.FieldSyntax.trimmed(field.value) == field.value
            guard HTTP.FieldSyntax.isToken(field.name), isPrintable, isWhole else {
                throw TokenError.invalidCredential(
                    "its field \(HTTP.printable(field.name)) is empty, ends in a blank, has control "
                        + "characters or a name that isn't a token (RFC 9110 section 5)"
                )
            }
        }
        if let expiresAt, !Credential.isPossible(expiresAt) {
            throw TokenError.invalidCredential("its expiry is not a date")
        }
    }

    /// Returns this credential with another one's refresh token.
    ///
    /// A server that rotates refresh tokens (RFC 9700 section 4.14.2) accepts only the newest one, even if the
    /// credential that came with it is unusable.
    /// - Parameter other: The credential whose refresh token replaces this one's, if it has one.
    public func refreshable(as other: Credential) -> Credential {
        var credential = Credential(
            kind: kind,
            fields: fields,
            parameters: parameters,
            problem: problem,
            expiresAt: expiresAt,
            refreshToken: other.refreshToken ?? refreshToken
        )
        credential.attachment = attachment
        return credential
    }

    // From `Date.distantPast` to the year 9999, the last that HTTP can write (RFC 9110 section 5.6.7). In seconds,
    // because a date made from NaN compares as equal to every other date.
    private static func isPossible(_ date: Date) -> Bool {
        -62_135_769_600...253_402_300_799 ~= date.timeIntervalSince1970
    }

    /// The expiry as text, safe to show for any value; `nil` if unknown.
    var shownExpiry: String? {
        guard let expiresAt else { return nil }
        return Credential.isPossible(expiresAt) ? HTTP.text(for: expiresAt) : "at an invalid date"
    }
}
