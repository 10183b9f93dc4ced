import InterceptorKit

/// A role to assume, and how.
struct AssumedRole: Sendable {
    let role: String
    var sessionName: String?
    var externalID: String?
    /// How long the credentials last, in seconds; `nil` for the service's choice, an hour.
    var duration: Int?

    init(role: String, sessionName: String?) {
        self.role = role
        self.sessionName = sessionName
    }
}

extension AWSCredentialProvider {
    /// Returns the role that other credentials assume; these may be a role's too.
    /// - Parameters:
    ///   - role: The role's ARN.
    ///   - source: Whose credentials assume it. Asked again at each refresh.
    ///   - sessionName: The session's name in AWS's records. Defaults to one with the time.
    ///   - externalID: The id that the role's owner requires. Defaults to none.
    ///   - duration: How long the credentials last. Defaults to the service's choice, an hour.
    public static func assumedRole(
        _ role: String,
        by source: AWSCredentialProvider,
        sessionName: String? = nil,
        externalID: String? = nil,
        duration: Duration? = nil
    ) -> AWSCredentialProvider {
        AWSCredentialProvider("assumed role") { environment in
            let credentials = try await source.credentials(in: environment)
            var parameters = AssumedRole(role: role, sessionName: sessionName)
            parameters.externalID = externalID
            parameters.duration = duration.map { Int($0.wholeSeconds) }
            return try await SecurityTokenService(environment).assume(parameters, by: credentials)
        }
    }
}
