public import InterceptorKit

/// The rule by which a private cache separates users.
///
/// In any case, call values that can change the output (`PartitioningCallKey`), such as the name of the
/// call's credential, separate responses too. A shared cache (``CachePolicy/Scope``) has no partitions.
public struct CachePartition: Sendable {
    enum Kind: Sendable {
        case visibleCredentials
        case oneIdentity
        case chosen(@Sendable (HTTP.Request, Call) -> String?)
    }

    let kind: Kind

    /// Separates by the credentials of a request when it reaches the cache: `Authorization`, `Cookie`,
    /// `Proxy-Authorization`, and fields that interceptors above added as credentials.
    ///
    /// This is the default, and safe in every chain: if a credential or signature is attached below the
    /// cache, which cannot see whose it is, a response is stored only if it is marked `public`. One that sets
    /// a cookie is not stored, because callers without credentials are not known to be the same.
    public static let visibleCredentials = CachePartition(kind: .visibleCredentials)

    /// Treats every call as made for one identity, for an app with one user or a service acting for itself.
    ///
    /// Empty the store when the user changes, for example after a sign-out. Don't use this in a server that
    /// forwards its users' credentials.
    public static let oneIdentity = CachePartition(kind: .oneIdentity)

    /// Separates by a name, such as the id of a tenant or a user.
    /// - Parameter name: Returns the name; `nil` for a call that neither uses nor fills the cache.
    public static func by(
        _ name: @escaping @Sendable (_ request: HTTP.Request, _ call: Call) -> String?
    ) -> CachePartition {
        CachePartition(kind: .chosen(name))
    }
}

extension CachePartition {
    /// Whether a response may be stored whose request was given a credential below the cache.
    var coversUnseenCredentials: Bool {
        if case .visibleCredentials = kind { false } else { true }
    }

    /// The key of a partition; `nil` where the call takes no part in caching.
    ///
    /// A digest, so that no credential stands in a store's files and no separator can be forged.
    func key(_ request: HTTP.Request, _ call: Call) -> String? {
        guard var parts = call.partition.texts else { return nil }
        parts += Self.namedHost(of: request)
        switch kind {
        case .oneIdentity:
            break
        case .visibleCredentials:
            func add(_ name: String) {
                guard let value = request.headers[name] else { return }
                parts.append("\(name.lowercased()): \(value)")
            }
            add("Authorization")
            add("Cookie")
            add("Proxy-Authorization")
            for name in call.credentialFields { add(name) }
        case .chosen(let name):
            guard let name = name(request, call) else { return nil }
            parts.append("for \(name)")
        }
        return Self.digest(parts)
    }

    /// The key of what any caller may be served.
    static func key(ofHost request: HTTP.Request) -> String { digest(namedHost(of: request)) }

    /// What the request names as its host in place of the URL's, which servers tell sites apart by.
    private static func namedHost(of request: HTTP.Request) -> [String] {
        guard let host = request.headers["Host"]?.lowercased(),
            host != request.url.origin?.authority
        else { return [] }
        return ["host: \(host)"]
    }

    private static func digest(_ parts: [String]) -> String {
        if parts.isEmpty { return "" }
        var hash = RunningHash(.sha256)
        for part in parts { hash.update("\(part.utf8.count) \(part)".utf8) }
        return hash.finalize().hexadecimal
    }
}
