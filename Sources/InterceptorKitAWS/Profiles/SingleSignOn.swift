import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProfileCredentials {
    private static let cacheLimit = 256 * 1024
    private static let timeout: Duration = .seconds(10)

    private struct Settings {
        let startURL: String
        let region: String
        let account: String
        let role: String
        let session: String?
    }

    private struct CachedToken: Decodable {
        let accessToken: String
        let expiresAt: String
    }

    private struct RoleCredentialsResponse: Decodable {
        struct Keys: Decodable {
            let accessKeyId: String
            let secretAccessKey: String
            let sessionToken: String
            /// Milliseconds since 1970.
            let expiration: Double
        }

        let roleCredentials: Keys
    }

    /// Returns the credentials of the role for the token that `aws sso login` has cached.
    func singleSignOn() async throws -> AWSCredentials {
        let settings = try signOnSettings()
        let token = try cachedToken(settings)
        let query: HTTP.Parameters = ["role_name": settings.role, "account_id": settings.account]
        let own = try HTTP.URL.service("portal.sso", in: settings.region)
        let base = try environment.endpoint(for: "sso", profile) ?? own
        let url = HTTP.URL("/federation/credentials").joined(to: base).appending(query: query)
        let (status, body) = try await environment.response(
            to: .get(url, headers: ["x-amz-sso_bearer_token": token]),
            [TimeoutInterceptor(total: Self.timeout), RetryInterceptor(policy: .identityService)],
            over: environment.transport,
            upTo: Self.cacheLimit,
            from: "AWS IAM Identity Center"
        )
        guard status == 200 else {
            let advice = status == 401 ? " Run aws sso login again." : ""
            throw TokenError(
                status.isServerError ? .unavailable : .refused,
                "AWS IAM Identity Center answered \(status) when the credentials of the role "
                    + "\(HTTP.printable(settings.role)) were asked for.\(advice)"
            )
        }
        guard
            let keys = try? JSONDecoder().decode(RoleCredentialsResponse.self, from: body)
                .roleCredentials
        else {
            throw TokenError(
                .malformedResponse,
                "The response of AWS IAM Identity Center has no credentials."
            )
        }
        return AWSCredentials(
            accessKeyID: keys.accessKeyId,
            secretAccessKey: keys.secretAccessKey,
            sessionToken: keys.sessionToken,
            expiresAt: Date(timeIntervalSince1970: keys.expiration / 1000)
        )
    }

    private func signOnSettings() throws(TokenError) -> Settings {
        let shown = HTTP.printable(name)
        guard self["sso_role_name"] != nil || self["sso_account_id"] != nil else {
            throw .notConfigured("The profile \(shown) has no single sign-on.")
        }
        var values = profile.values
        if let session = values["sso_session"] {
            guard let section = config.signOnSessions[session] else {
                throw .invalid(
                    "The sso-session \(HTTP.printable(session)) of the profile \(shown) does not exist."
                )
            }
            guard section["sso_start_url"] != nil, section["sso_region"] != nil else {
                throw .invalid(
                    "The sso-session \(HTTP.printable(session)) needs sso_start_url and sso_region."
                )
            }
            for (name, value) in section.values {
                guard values[name] ?? value == value else {
                    throw .invalid("The profile \(shown) and its sso-session differ in \(name).")
                }
                values[name] = value
            }
        }
        guard let startURL = values["sso_start_url"], let region = values["sso_region"],
            let account = values["sso_account_id"], let role = values["sso_role_name"]
        else {
            throw .invalid(
                "The profile \(shown) needs sso_start_url, sso_region, sso_account_id and sso_role_name "
                    + "for its single sign-on."
            )
        }
        return Settings(
            startURL: startURL,
            region: region,
            account: account,
            role: role,
            session: values["sso_session"]
        )
    }

    private func cachedToken(_ settings: Settings) throws(TokenError) -> String {
        let key = settings.session ?? settings.startURL
        let name = HashAlgorithm.sha1.hash(key.utf8).hexadecimal
        let path = environment.path("~/.aws/sso/cache/\(name).json")
        let advice = "Run aws sso login for the profile \(HTTP.printable(self.name))."
        guard let text = try BoundedFile.text(path, upTo: Self.cacheLimit) else {
            throw .invalid("There is no token of single sign-on. \(advice)")
        }
        guard let token = try? JSONDecoder().decode(CachedToken.self, from: Data(text.utf8)),
            let expiry = AWSTimestamp.date(token.expiresAt),
            !token.accessToken.isEmpty, token.accessToken.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            throw .invalid(
                "The file \(HTTP.printable(path)) is not a token of single sign-on. \(advice)"
            )
        }
        guard expiry > environment.runtime.date else {
            throw TokenError(.expired, "The token of single sign-on has expired. \(advice)")
        }
        return token.accessToken
    }
}
