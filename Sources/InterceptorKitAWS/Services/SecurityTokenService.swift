import InterceptorKit
import InterceptorKitSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The AWS Security Token Service, which issues the credentials of roles (API version 2011-06-15).
struct SecurityTokenService {
    private static let timeout: Duration = .seconds(10)
    private static let responseLimit = 256 * 1024

    private let environment: AWSEnvironment
    private let profile: ConfigFile.Section?

    /// - Parameter profile: The profile that may configure an endpoint, unless a variable does. Defaults to the
    ///   environment's profile.
    init(_ environment: AWSEnvironment, profile: ConfigFile.Section? = nil) {
        self.environment = environment
        self.profile = profile
    }

    func assume(_ role: AssumedRole, by credentials: AWSCredentials) async throws -> AWSCredentials
    {
        try credentials.validate()
        if let expiresAt = credentials.expiresAt, expiresAt <= environment.runtime.date {
            throw TokenError(
                .expired,
                "The credentials that assume the role \(HTTP.printable(role.role)) have expired."
            )
        }
        return try await assume("AssumeRole", role, [], signedBy: credentials.signingKey)
    }

    /// Assumes a role with a web identity token, without keys.
    func assume(_ role: AssumedRole, withToken token: String) async throws -> AWSCredentials {
        try await assume(
            "AssumeRoleWithWebIdentity",
            role,
            [("WebIdentityToken", token)],
            signedBy: nil
        )
    }

    private func assume(
        _ action: String,
        _ role: AssumedRole,
        _ more: [(name: String, value: String)],
        signedBy key: SigningKey?
    ) async throws -> AWSCredentials {
        let (url, region) = try endpoint()
        let time = Int(exactly: environment.runtime.date.timeIntervalSince1970.rounded(.down)) ?? 0
        var form = [
            ("Action", action), ("Version", "2011-06-15"), ("RoleArn", role.role),
            ("RoleSessionName", role.sessionName ?? "interceptorkit-\(time)"),
        ]
        if let id = role.externalID { form.append(("ExternalId", id)) }
        if let duration = role.duration { form.append(("DurationSeconds", "\(duration)")) }
        let headers: HTTP.Headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let request = HTTP.Request.post(
            url,
            headers: headers,
            body: .form(HTTP.Parameters(form + more))
        )
        var interceptors: [any Interceptor<HTTP.Request>] = [
            TimeoutInterceptor(total: Self.timeout), RetryInterceptor(policy: .identityService),
        ]
        if let key {
            let scheme = AWSSignatureV4(service: "sts", region: region)
            interceptors.append(SignInterceptor(RequestSigner(scheme, key: key)))
        }
        let (status, body) = try await environment.response(
            to: request,
            interceptors,
            over: environment.transport,
            upTo: Self.responseLimit,
            from: "AWS Security Token Service"
        )
        let text = XMLTexts(String(decoding: body, as: UTF8.self))
        guard status == 200 else {
            let code = text["Code"].map { ": \(HTTP.printable($0))" } ?? ""
            let words = Self.shown(text["Message"], without: [key?.token] + more.map { $0.value })
            throw TokenError(
                status.isServerError ? .unavailable : .refused,
                "AWS Security Token Service answered \(status)\(code) when the role "
                    + "\(HTTP.printable(role.role)) was to be assumed.\(words)"
            )
        }
        guard let id = text["AccessKeyId"], let secret = text["SecretAccessKey"],
            let token = text["SessionToken"],
            let expiry = text["Expiration"].flatMap(AWSTimestamp.date)
        else {
            throw TokenError(
                .malformedResponse,
                "The response of AWS Security Token Service has no credentials. Check its endpoint."
            )
        }
        return AWSCredentials(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: token,
            expiresAt: expiry
        )
    }

    /// Returns the service's message, unless it repeats a token from the request.
    private static func shown(_ message: String?, without tokens: [String?]) -> String {
        guard let message, !tokens.contains(where: { $0.map(message.contains) ?? false }) else {
            return ""
        }
        return " It says: \(HTTP.printable(Redaction.standard.text(message)))."
    }

    /// Returns the configured endpoint (AWS SDKs and Tools, "Service-specific endpoints"), otherwise the regional one.
    /// Without a region it is the global one, which signs for `us-east-1`.
    private func endpoint() throws(TokenError) -> (HTTP.URL, region: String) {
        let region = try environment.configuredRegion()
        if let configured = try environment.endpoint(for: "sts", profile) {
            return (configured, region ?? "us-east-1")
        }
        guard let region else { return ("https://sts.amazonaws.com/", "us-east-1") }
        return (try .service("sts", in: region), region)
    }
}

extension RetryPolicy where Input == HTTP.Request {
    /// Repeated requests are safe: a second set of credentials just remains unused.
    static var identityService: RetryPolicy {
        var policy = RetryPolicy.idempotent
        policy.maxAttempts = 3
        return policy
    }
}
