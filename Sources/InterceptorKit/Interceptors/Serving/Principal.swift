#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Who calls, as a serving chain has verified it.
///
/// An interceptor that verifies its caller sets ``Call/principal`` for the stages below it, which take its ``id`` as
/// the key of a rate limit, of idempotency records and of log lines. No client sends it on.
public struct Principal: Sendable, Hashable {
    /// The longest ``id`` that shows issuer and subject, in bytes. A subject has at most 255 (OpenID Connect Core 1.0
    /// section 2), which leaves as many for the issuer.
    private static let longestID = 512

    /// The issuer, a space and the subject; the subject alone without an issuer. It differs from every other
    /// principal's, has at most 512 bytes, and is printable ASCII: of what is longer or has other characters, it is a
    /// SHA-256 digest, as in `sha256:2c26b46b…`.
    public let id: String
    /// Who vouches for the subject, such as the URL of an authorization server; empty if the service itself does, as
    /// with a key that it has registered.
    public let issuer: String
    /// The caller: a user, a client, or a key. Unique within the issuer, if that keeps the ids of its clients apart from
    /// those of its users (RFC 9700 section 4.15).
    public let subject: String
    /// The client that calls for the subject (RFC 9068 section 2.2); `nil` if it is not known.
    public let clientID: String?
    /// What the caller may do, as the issuer says.
    public let scopes: Set<String>
    /// The end of the proof, such as a token's expiry; `nil` if it has none.
    public let expiry: Date?

    /// Creates a principal.
    /// - Parameters:
    ///   - subject: The caller.
    ///   - issuer: Who vouches for it. Defaults to the service itself.
    ///   - clientID: The client that calls for the subject. Defaults to none.
    ///   - scopes: What the caller may do. Defaults to nothing.
    ///   - expiry: The end of the proof. Defaults to none.
    public init(
        _ subject: String,
        issuer: String = "",
        clientID: String? = nil,
        scopes: Set<String> = [],
        expiry: Date? = nil
    ) {
        id = Self.shownID(issuer, subject) ?? Self.digestID(issuer, subject)
        self.issuer = issuer
        self.subject = subject
        self.clientID = clientID
        self.scopes = scopes
        self.expiry = expiry
    }

    /// Returns the id that shows both; `nil` if that could be another principal's, or does not suit every store.
    private static func shownID(_ issuer: String, _ subject: String) -> String? {
        // Texts that Swift holds for equal, such as the two spellings of é, may be two subjects: hence only ASCII.
        guard !subject.isEmpty, issuer.utf8.count + subject.utf8.count < longestID,
            issuer.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        guard issuer.isEmpty else {
            return subject.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? "\(issuer) \(subject)" : nil
        }
        // A space would make it look like an issuer's, and the prefix like a digest.
        let isPlain = subject.utf8.allSatisfy { 0x21...0x7E ~= $0 }
        return isPlain && !subject.utf8.starts(with: digestPrefix.utf8) ? subject : nil
    }

    private static let digestPrefix = "sha256:"

    private static func digestID(_ issuer: String, _ subject: String) -> String {
        var hash = RunningHash(.sha256)
        hash.update("\(issuer.utf8.count):".utf8)
        hash.update(issuer.utf8)
        hash.update(subject.utf8)
        return digestPrefix + hash.finalize().hexadecimal
    }
}

/// The principal of a call, by which coalescing and caches keep callers apart: what one may get is not another's.
private struct Caller: RawRepresentable, Hashable {
    let principal: Principal?

    // The expiry is left out, so that a new token is no new caller. Encoded, so that texts that Swift holds for equal, and
    // those with a line break, stay apart.
    var rawValue: String {
        guard let principal else { return "" }
        let scopes = principal.scopes.map { PercentEncoding.encode($0) }.sorted()
            .joined(separator: " ")
        let client = PercentEncoding.encode(principal.clientID ?? "")
        return "\(principal.id)\n\(scopes)\n\(client)"
    }

    init(_ principal: Principal?) { self.principal = principal }

    init?(rawValue: String) { nil }

    static func == (left: Caller, right: Caller) -> Bool { left.rawValue == right.rawValue }

    func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

private enum CallerKey: PartitioningCallKey {
    static let defaultValue = Caller(nil)
}

extension Call {
    /// Who calls; `nil` before an interceptor of the serving chain has verified it.
    ///
    /// The lowest interceptor that verifies a caller decides. Handlers without a parameter for the call read it as
    /// `Call.served?.principal`. Where calls are coalesced, and in a private cache, callers stay apart.
    public var principal: Principal? {
        get { self[CallerKey.self].principal }
        set { self[CallerKey.self] = Caller(newValue) }
    }
}
