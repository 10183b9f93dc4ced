import InterceptorKit

/// The addresses that AWS documents for services that give keys over plain HTTP.
enum MetadataAddress {
    static let instance = ["169.254.169.254", "fd00:ec2::254"]
    static let container = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"]

    /// Throws unless a URL leads to this machine or to one of the addresses.
    static func check(
        _ url: HTTP.URL,
        _ addresses: [String],
        _ setting: String
    ) throws(TokenError) {
        guard (try? url.validate()) != nil, url.scheme == "http", let host = url.host else {
            throw .invalid("\(setting) is not an http URL.")
        }
        let bare = String((host.rest(after: "[") ?? host[...]).beginning(before: "]"))
        guard addresses.contains(bare) || isLoopback(bare) else {
            throw .invalid(
                "\(setting) leads to \(HTTP.printable(host)), and keys are only taken from this machine "
                    + "and from \(addresses.joined(separator: ", "))."
            )
        }
    }

    /// Whether a host is this machine (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(at: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { 48...57 ~= $0 } && UInt8(part) != nil
            }
    }
}

extension AWSEnvironment {
    /// The largest response of a metadata service, in bytes.
    private static let metadataLimit = 64 * 1024

    /// Sends a request to a metadata service. Redirects are not followed.
    /// - Parameters:
    ///   - limit: The longest time for a response, including all attempts.
    ///   - attempt: The longest time for one attempt.
    func metadata(
        _ request: HTTP.Request,
        within limit: Duration,
        attempt: Duration,
        from service: String
    ) async throws -> (status: HTTP.Status, text: String) {
        if metadataTransport == nil, let variable = proxyVariable(for: request.url) {
            throw TokenError.invalid(
                "\(service) is not asked, because \(variable) names a proxy, which would learn the keys. "
                    + "Give AWSEnvironment a metadataTransport without proxies, or add the host "
                    + "\(request.url.host ?? "") to no_proxy."
            )
        }
        let (status, data) = try await response(
            to: request,
            [
                TimeoutInterceptor(total: limit), RetryInterceptor(policy: .metadata),
                TimeoutInterceptor(attempt: attempt),
            ],
            over: metadataTransport ?? transport,
            upTo: Self.metadataLimit,
            from: service
        )
        guard let text = String(validating: data, as: UTF8.self) else {
            throw TokenError(
                .malformedResponse,
                "The response of \(service) is not text."
            )
        }
        return (status, text)
    }

    /// Returns the name of the variable that sets a proxy for a URL; `nil` if there is none.
    func proxyVariable(for url: HTTP.URL) -> String? {
        let scheme = url.scheme ?? "http"
        let names = ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY", "all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { variable($0) != nil }), let host = url.host else {
            return nil
        }
        let exceptions = (variable("no_proxy") ?? variable("NO_PROXY") ?? "").lowercased()
            .split(at: ",").flatMap { $0.split(at: " ") }
        let isExcepted = exceptions.contains { $0 == "*" || $0 == host || "[\($0)]" == host }
        return isExcepted ? nil : name
    }
}

extension RetryPolicy where Input == HTTP.Request {
    /// Three attempts in quick succession (AWS SDKs and Tools, "IMDS credential provider").
    fileprivate static var metadata: RetryPolicy {
        var policy = RetryPolicy.idempotent
        policy.maxAttempts = 3
        policy.backoff = Backoff(base: .milliseconds(50))
        policy.overloadBackoff = Backoff(base: .milliseconds(200))
        policy.respectsRetryAfter = false
        policy.budget = nil
        return policy
    }
}
