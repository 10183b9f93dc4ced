import InterceptorKit

extension AWSCredentialProvider {
    /// The default chain, in the order of the AWS SDK for Python and the AWS CLI.
    ///
    /// 1. The variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, unless ``AWSEnvironment/profile`` is set.
    /// 2. A role that the profile assumes (`role_arn` with `source_profile` or `credential_source`).
    /// 3. A web identity from variables or the profile (`web_identity_token_file`).
    /// 4. The profile's single sign-on (`sso_account_id`, `sso_role_name`).
    /// 5. The profile's keys in the shared credentials file.
    /// 6. The profile's `credential_process`.
    /// 7. The profile's keys in the shared config file.
    /// 8. The container's credentials (Amazon ECS, EKS Pod Identity, IoT Greengrass).
    /// 9. The EC2 instance's role, from its metadata service in version 2.
    public static var `default`: AWSCredentialProvider {
        .chain([
            AWSCredentialProvider("environment") { environment in
                guard environment.profile == nil else {
                    throw TokenError.notConfigured(
                        "A profile was named, which goes before variables."
                    )
                }
                return try environment.variableCredentials()
            },
            .of("profile's role") { try await $0.assumedRole() },
            .of("web identity") { try await $0.webIdentity(usesVariables: $0.isChosenByVariables) },
            .of("profile's single sign-on") { try await $0.singleSignOn() },
            .of("shared credentials file") { try $0.credentialsFileKeys() },
            .of("profile's process") { try await $0.process() },
            .of("shared config file") { try $0.configFileKeys() },
            .container,
            .instanceMetadata,
        ])
    }

    /// The credentials in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and
    /// `AWS_CREDENTIAL_EXPIRATION`.
    public static var environment: AWSCredentialProvider {
        AWSCredentialProvider("environment") { try $0.variableCredentials() }
    }

    /// Returns the provider for a profile of the shared config and credentials files: its role, web identity, single
    /// sign-on, keys or process.
    /// - Parameter name: The profile's name. Defaults to the environment's.
    public static func profile(_ name: String? = nil) -> AWSCredentialProvider {
        AWSCredentialProvider("profile") { environment in
            var environment = environment
            if let name { environment.profile = name }
            return try await ProfileCredentials(in: environment).credentials()
        }
    }

    private static func of(
        _ name: String,
        _ provide: @escaping @Sendable (ProfileCredentials) async throws -> AWSCredentials
    ) -> AWSCredentialProvider {
        AWSCredentialProvider(name) { try await provide(ProfileCredentials(in: $0)) }
    }
}
