public import InterceptorKit

/// The rule by which a private cache separates users.
///
/// Call values that can change the output (`PartitioningCallKey`), such as the name of the call's credential, always
/// separate responses too. A shared cache (``CachePolicy/Scope``) has no partitions.
public struct CachePartition: Sendable {
    enum Kind: Sendable {
        case visibleCredentials(ignoring: Set<String>)
        case oneIdentity
        case chosen(@Sendable (HTTP.Request, Call) -> String?)
    }

    let kind: Kind

    /// Separates callers by every request field that the cache sees, except fields known to say nothing about the
    /// caller: by `Authorization` and `Cookie`, `X-Api-Key` and `X-Tenant-Id`, and by your own fields.
    ///
    /// This is the default, and safe in every chain: if a credential or signature is attached below the cache, where
    /// the cache cannot see whose it is, a response is stored only if it is marked `public`. A response that sets a
    /// cookie is not stored, because callers without credentials are not known to be the same.
    ///
    /// The ignored fields are `RedirectPolicy.standardFields` and those of routing, tracing and deadlines, because a
    /// list of secret fields would be incomplete. A field of your own that differs from call to call therefore prevents
    /// hits: name it in ``visibleCredentials(ignoring:)``, or separate callers by a name with ``by(_:)``.
    public static let visibleCredentials = visibleCredentials(ignoring: [])

    /// Works like ``visibleCredentials-type.property``, and also ignores your own fields that say nothing about the
    /// caller, such as the app's version or an id for your logs.
    /// - Parameter names: The fields' names, in any case. `Authorization`, `Cookie`, `Proxy-Authorization` and fields
    ///   that interceptors added as credentials always count.
    public static func visibleCredentials(ignoring names: [String]) -> CachePartition {
        let names = Set(names.map { $0.lowercased() })
        return CachePartition(
            kind: .visibleCredentials(ignoring: names.union(harmless).subtracting(credentials))
        )
    }

    private static let credentials: Set<String> = [
        "authorization", "cookie", "proxy-authorization",
    ]

    // These describe the wanted content, the connection, or a single call. `namedHost(of:)` covers the host.
    private static let harmless = RedirectPolicy.standardFields.union([
        "b3", "connection", "grpc-timeout", "host", "idempotency-key", "keep-alive", "origin",
        "referer",
        "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "via",
        "x-b3-parentspanid",
        "x-b3-sampled", "x-b3-spanid", "x-b3-traceid", "x-correlation-id",
        "x-envoy-expected-rq-timeout-ms", "x-request-id",
    ])

    /// Treats all calls as made for one identity, for an app with one user or a service that acts for itself.
    ///
    /// Empty the store when the user changes, for example after a sign-out. Don't use this in a server that
    /// forwards its users' credentials.
    public static let oneIdentity = CachePartition(kind: .oneIdentity)

    /// Separates callers by a name, such as the id of a tenant or a user.
    /// - Parameter name: Returns the name; `nil` for a call that neither reads nor fills the cache.
    public static func by(
        _ name: @escaping @Sendable (_ request: HTTP.Request, _ call: Call) -> String?
    ) -> CachePartition {
        CachePartition(kind: .chosen(name))
    }
}

extension CachePartition {
    /// Whether the partition also covers credentials that are attached below the cache.
    var coversCredentialsBelow: Bool {
        if case .visibleCredentials = kind { false } else { true }
    }

    /// Returns the partition's key; `nil` if the call takes no part in caching.
    ///
    /// The key is a digest: a store's files contain no credential, and no separator can be forged.
    func key(_ request: HTTP.Request, _ call: Call) -> String? {
        guard var parts = call.partition.texts else { return nil }
        parts += Self.namedHost(of: request)
        switch kind {
        case .oneIdentity:
            break
        case .visibleCredentials(let ignored):
            let credentials = Set(call.credentialFields.map { $0.lowercased() })
            var values: [String: [String]] = [:]
            for field in request.headers {
                let name = field.name.lowercased()
                if ignored.contains(name), !credentials.contains(name) { continue }
                values[name, default: []].append(field.value)
            }
            for (name, lines) in values.sorted(by: { $0.key < $1.key }) {
                parts.append("\(name): \(lines.joined(separator: ", "))")
            }
        case .chosen(let name):
            guard let name = name(request, call) else { return nil }
            parts.append("for \(name)")
        }
        return Self.digest(parts)
    }

    /// Returns the partition's key for responses that any caller may be served.
    static func key(ofHost request: HTTP.Request) -> String { digest(namedHost(of: request)) }

    /// The `Host` field, by which servers tell sites apart, if it differs from the URL's authority.
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
