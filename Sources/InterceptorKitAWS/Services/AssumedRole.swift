import InterceptorKit

/// A role to assume, with the parameters of its session.
struct AssumedRole: Sendable {
    let role: String
    var sessionName: String?
    var externalID: String?
    /// The lifetime of the credentials, in seconds; `nil` for the service's default of one hour.
    var duration: Int?

    init(role: String, sessionName: String?) {
        self.role = role
        self.sessionName = sessionName
    }
}

extension AWSCredentialProvider {
    /// Returns the provider for a role that other credentials assume, which may themselves be those of a role.
    /// - Parameters:
    ///   - role: The role's ARN.
    ///   - source: The provider of the credentials that assume the role, used again for each refresh.
    ///   - sessionName: The session's name in AWS's records. Defaults to one with the current time.
    ///   - externalID: The id that the role's owner requires. Defaults to none.
    ///   - duration: The lifetime of the credentials. Defaults to the service's default of one hour.
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
