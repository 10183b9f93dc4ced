#if JWT
public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The public keys that verify an issuer's tokens (RFC 7517): fixed, or fetched from the issuer.
///
/// Fetched keys are shared by all copies of the set, and fetched once for all calls:
///
/// - They are used for as long as their response says, within the bounds of the ``JSONWebKeySetPolicy``. The first call
///   shortly before the end begins the next fetch and does not wait for it.
/// - A token with an unknown key id leads to a fetch, so that a new key is known with its first token, and so does a
///   token without an id that no known key has signed. However many forged ones come, these fetches are spaced.
/// - While the issuer does not answer, known keys are used for an hour more, and calls that need another key get an
///   ``AuthorizationServerError``.
///
/// A call that is cancelled or out of time leaves at once; the fetch goes on for the others, up to its own time limit.
///
/// Keys that cannot verify signatures are left out: of unknown kinds, for encryption, secret, incomplete, RSA keys of
/// fewer than 2048 bits, and keys with their private part. Of keys with the same id each is tried. A token without a
/// key id is tried with all keys that have its algorithm. No token is tried with more than 8 keys, and a set of more
/// than 1000 keys or 512 KiB is refused.
public struct JSONWebKeySet: Sendable {
    private enum Source {
        case fixed(KeyTable)
        case fetched(SharedKeys)
    }

    private let source: Source

    /// Creates a set of fixed keys, such as those of an issuer without an address.
    /// - Parameter json: A JSON Web Key Set (RFC 7517 section 5).
    /// - Throws: An ``AuthorizationServerError`` if it is no set, or has no key that can verify a signature.
    public init(json: Data) async throws(AuthorizationServerError) {
        source = .fixed(try await KeyTable(json: json))
    }

    /// Creates a set that fetches the keys of an issuer when the first token comes.
    ///
    /// ```swift
    /// let keys = try JSONWebKeySet(issuer: "https://login.example.com", over: client)
    /// ```
    ///
    /// The metadata is believed only if it names exactly this issuer (RFC 8414 section 3.3), and keys come only from the
    /// issuer's origin and from those that you list. Redirects are not followed.
    /// - Parameters:
    ///   - issuer: The issuer, exactly as its tokens name it: an https URL without query and fragment, or an http URL
    ///     of this machine.
    ///   - client: The client of the fetches, whose chain may retry, and whose runtime is the clock. The fetches have
    ///     nothing of the calls that need the keys, such as their credentials.
    ///   - location: Where the address of the keys is found. Defaults to OpenID Connect discovery.
    ///   - origins: Other origins where the issuer has its keys, as `https://www.googleapis.com` for
    ///     `https://accounts.google.com`. Defaults to none.
    ///   - policy: The rules for fetches. Defaults to ``JSONWebKeySetPolicy/standard``.
    /// - Throws: A `SettingError` for an address that is not safe, or an invalid policy.
    public init(
        issuer: String,
        over client: HTTP.Client,
        location: Location = .openIDConfiguration,
        origins: [HTTP.Origin] = [],
        policy: JSONWebKeySetPolicy = .standard
    ) throws(SettingError) {
        try policy.validate()
        let url = HTTP.URL(unvalidated: issuer)
        let check = SettingCheck(of: "JSONWebKeySet")
        try check.require(
            url.isSafe && url.query == nil && !issuer.utf8.contains(UInt8(ascii: "#")),
            "issuer",
            HTTP.printable(issuer),
            "an https URL without query and fragment, or an http URL of this machine"
        )
        for origin in origins {
            try check.require(
                HTTP.URL(unvalidated: origin.description).isSafe,
                "origins",
                HTTP.printable(origin.description),
                "origins with https, or of this machine"
            )
        }
        if case .keys(let address) = location.place {
            try check.require(
                address.isSafe,
                "location",
                "\(address)",
                "an https URL, or an http URL of this machine"
            )
        }
        let server = KeyServer(
            issuer: issuer,
            client: client,
            metadata: location.metadata(of: url),
            origins: Set(origins + [url.origin].compactMap(\.self)),
            timeout: policy.timeout
        )
        source = .fetched(SharedKeys(server, at: location.keys, policy))
    }

    /// Returns the keys that may have signed a token; none if the issuer has no such key.
    /// - Parameters:
    ///   - id: The token's key id (`kid`); `nil` if it names none.
    ///   - algorithm: The token's algorithm, which the caller allows.
    ///   - isRejecting: Whether the keys that this returned before did not make the signature: then only those are
    ///     returned that are fetched anew, spaced as for unknown ids.
    ///   - call: The call that the token came with. Its deadline limits the wait.
    /// - Throws: An ``AuthorizationServerError`` if nobody can tell; `CancellationError`.
    nonisolated(nonsending) func keys(
        for id: String?,
        algorithm: String,
        isRejecting: Bool = false,
        on call: Call
    ) async throws -> [VerificationKey] {
        switch source {
        case .fixed(let table): isRejecting ? [] : table.keys(for: id, algorithm)
        case .fetched(let shared):
            try await shared.keys(for: id, algorithm, isRejecting: isRejecting, on: call)
        }
    }
}

extension JSONWebKeySet {
    /// Where the address of an issuer's keys is found.
    public struct Location: Sendable, Hashable {
        fileprivate enum Place: Hashable {
            case openIDConfiguration
            case authorizationServerMetadata
            case keys(HTTP.URL)
        }

        fileprivate let place: Place

        /// In the issuer's OpenID configuration, `/.well-known/openid-configuration` after its URL (OpenID Connect
        /// Discovery section 4).
        public static let openIDConfiguration = Location(place: .openIDConfiguration)

        /// In the metadata of the authorization server, `/.well-known/oauth-authorization-server` before the path of
        /// its URL (RFC 8414 section 3).
        public static let authorizationServerMetadata = Location(
            place: .authorizationServerMetadata
        )

        /// At a known address; no metadata is read.
        /// - Parameter url: The address of the key set: an https URL, or an http URL of this machine.
        public static func keys(at url: HTTP.URL) -> Location { Location(place: .keys(url)) }

        fileprivate var keys: HTTP.URL? {
            if case .keys(let url) = place { url } else { nil }
        }

        fileprivate func metadata(of issuer: HTTP.URL) -> HTTP.URL? {
            guard let origin = issuer.origin else { return nil }
            let path = issuer.path.rest(before: "/").map(String.init) ?? issuer.path
            switch place {
            case .openIDConfiguration:
                return "\(origin)\(raw: path)/.well-known/openid-configuration"
            case .authorizationServerMetadata:
                return "\(origin)/.well-known/oauth-authorization-server\(raw: path)"
            case .keys: return nil
            }
        }
    }
}

extension HTTP.URL {
    /// Whether nobody on the way can change what is read from here: by https, or on this machine (RFC 1122 section
    /// 3.2.1.3, RFC 4291 section 2.5.3).
    fileprivate var isSafe: Bool {
        guard (try? validate()) != nil, let host else { return false }
        if scheme == "https" || host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(at: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { 48...57 ~= $0 } && UInt8(part) != nil
            }
    }
}
#endif
