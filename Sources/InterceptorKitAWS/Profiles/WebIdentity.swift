import InterceptorKit

extension ProfileCredentials {
    /// Returns the credentials of a web identity's role (Amazon EKS, "IAM roles for service accounts").
    /// - Parameter usesVariables: Whether each variable has precedence over the profile's setting.
    func webIdentity(usesVariables: Bool) async throws -> AWSCredentials {
        func setting(_ name: String, _ variable: String) -> String? {
            (usesVariables ? environment.variables[variable] : nil) ?? self[name]
        }
        guard let file = setting("web_identity_token_file", "AWS_WEB_IDENTITY_TOKEN_FILE"),
            !file.isEmpty
        else {
            throw TokenError.notConfigured(
                "Neither AWS_WEB_IDENTITY_TOKEN_FILE nor the profile names a token file."
            )
        }
        guard let role = setting("role_arn", "AWS_ROLE_ARN"), !role.isEmpty else {
            throw TokenError.invalid(
                "A web identity's token file is named, and no role: set AWS_ROLE_ARN, or role_arn."
            )
        }
        let session = setting("role_session_name", "AWS_ROLE_SESSION_NAME")
        let token = try WebIdentityToken.read(file, environment)
        return try await SecurityTokenService(environment, profile: profile)
            .assume(AssumedRole(role: role, sessionName: session), withToken: token)
    }
}

/// A token in a file, which is read for each use because it is replaced while the program runs.
enum WebIdentityToken {
    private static let limit = 64 * 1024

    static func read(
        _ file: String,
        _ environment: AWSEnvironment
    ) throws(TokenError) -> String {
        guard let text = try BoundedFile.text(environment.path(file), upTo: limit) else {
            throw .invalid("There is no token file \(HTTP.printable(file)).")
        }
        let token = String(
            text.unicodeScalars.drop(while: \.properties.isWhitespace)
                .reversed().drop(while: \.properties.isWhitespace).reversed().map(Character.init)
        )
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw .invalid(
                "The token file \(HTTP.printable(file)) is empty, or has characters that no field carries."
            )
        }
        return token
    }
}

extension AWSCredentialProvider {
    /// Returns the provider for a web identity's role. The token file is read again for each refresh.
    /// - Parameters:
    ///   - role: The role's ARN.
    ///   - tokenFile: The path of the token file.
    ///   - sessionName: The session's name in AWS's records. Defaults to one with the current time.
    public static func webIdentity(
        _ role: String,
        tokenFile: String,
        sessionName: String? = nil
    ) -> AWSCredentialProvider {
        AWSCredentialProvider("web identity") { environment in
            let token = try WebIdentityToken.read(tokenFile, environment)
            return try await SecurityTokenService(environment)
                .assume(AssumedRole(role: role, sessionName: sessionName), withToken: token)
        }
    }
}
