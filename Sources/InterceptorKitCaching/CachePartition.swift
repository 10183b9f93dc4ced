public import InterceptorKit

/// How a private cache tells apart for whom responses are.
///
/// Whatever the choice, values of a call that can change the output (`PartitioningCallKey`),
/// as the credential it names, tell responses apart as well. A shared cache (``CachePolicy/Scope``) has
/// no partitions.
public struct CachePartition: Sendable {
    enum Kind: Sendable {
        case visibleCredentials
        case oneIdentity
        case chosen(@Sendable (HTTP.Request, Call) -> String?)
    }

    let kind: Kind

    /// By the credentials that a request carries when it comes to the cache: `Authorization`, `Cookie`,
    /// `Proxy-Authorization`, and fields that interceptors above added as credentials.
    ///
    /// The default, and safe in every chain: where a credential or signature is attached below the cache,
    /// which cannot see whose it is, a response is stored only if it says that it is `public`. One that sets
    /// a cookie is not stored, because callers without credentials are not known to be the same.
    public static let visibleCredentials = CachePartition(kind: .visibleCredentials)

    /// Every call is made for one identity, as by an app for its user or by a service for itself.
    ///
    /// Empty the store when the user changes, as after a sign-out. Not for a server that passes on its
    /// users' credentials.
    public static let oneIdentity = CachePartition(kind: .oneIdentity)

    /// By a name for whom a call is made, as the tenant's or the user's id.
    /// - Parameter name: The name; `nil` for a call that is neither served from the store nor stored.
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
            let names = ["Authorization", "Cookie", "Proxy-Authorization"] + call.credentialFields
            for name in names where request.headers.contains(name) {
                parts.append("\(name.lowercased()): \(request.headers[name] ?? "")")
            }
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
