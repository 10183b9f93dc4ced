import InterceptorKit

/// The credential settings of one profile of the shared files.
struct ProfileCredentials {
    let environment: AWSEnvironment
    let config: SharedConfig
    let name: String
    /// The profiles up to this one, each of which is the source of the previous one.
    private var path: [String]

    /// Whether variables chose the profile, so that other variables apply too.
    var isChosenByVariables: Bool { environment.profile == nil }

    init(in environment: AWSEnvironment) throws(TokenError) {
        let config = try SharedConfig(environment)
        let name = environment.profileName
        self.init(environment, config, name)
        guard config.profile(name) != nil || name == "default" else {
            throw .invalid(
                "There is no profile \(HTTP.printable(name)) in the shared config and credentials files."
            )
        }
    }

    var profile: ConfigFile.Section { config.profile(name) ?? ConfigFile.Section() }

    /// A setting of the profile, even if it is empty.
    subscript(setting: String) -> String? { profile[setting] }

    func credentials() async throws -> AWSCredentials {
        hasRole ? try await assumedRole() : try await ownCredentials()
    }

    private func ownCredentials() async throws -> AWSCredentials {
        for step in Step.allCases {
            do {
                return try await credentials(by: step)
            } catch let error as TokenError where error.code == .notConfigured {
                continue
            }
        }
        throw TokenError.notConfigured(
            "The profile \(HTTP.printable(name)) has no credentials in the shared config and credentials "
                + "files."
        )
    }

    /// The kinds of credentials that a profile may have, in order of precedence.
    private enum Step: CaseIterable {
        case webIdentity, singleSignOn, credentialsFile, process, configFile
    }

    private func credentials(by step: Step) async throws -> AWSCredentials {
        switch step {
        case .webIdentity: try await webIdentity(usesVariables: false)
        case .singleSignOn: try await singleSignOn()
        case .credentialsFile: try credentialsFileKeys()
        case .process: try await process()
        case .configFile: try configFileKeys()
        }
    }

    func credentialsFileKeys() throws(TokenError) -> AWSCredentials {
        try keys(in: config.credentialsProfiles[name], "credentials")
    }

    func configFileKeys() throws(TokenError) -> AWSCredentials {
        try keys(in: config.configProfiles[name], "config")
    }

    private func keys(
        in section: ConfigFile.Section?,
        _ file: String
    ) throws(TokenError) -> AWSCredentials {
        let shown = HTTP.printable(name)
        if section?["login_session"] != nil, section?["aws_access_key_id"] == nil {
            throw .invalid("The profile \(shown) was made by aws login, which is not supported.")
        }
        guard let section, let id = section["aws_access_key_id"] else {
            throw .notConfigured("The shared \(file) file has no keys of the profile \(shown).")
        }
        guard let secret = section["aws_secret_access_key"] else {
            throw .invalid(
                "The profile \(shown) in the shared \(file) file has aws_access_key_id without "
                    + "aws_secret_access_key."
            )
        }
        return AWSCredentials(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: section["aws_session_token"] ?? section["aws_security_token"]
        )
    }

    /// Returns the credentials that the profile's `credential_process` writes.
    func process() async throws -> AWSCredentials {
        guard let command = self["credential_process"] else {
            throw TokenError.notConfigured(
                "The profile \(HTTP.printable(name)) has no credential_process."
            )
        }
        return try await AWSCredentials(command: command, in: environment)
    }

    private var hasRole: Bool { self["role_arn"] != nil && self["web_identity_token_file"] == nil }

    private var hasKeys: Bool {
        self["aws_access_key_id"] != nil || self["aws_secret_access_key"] != nil
    }

    /// Returns the credentials of the role that the profile assumes, with the credentials of its source.
    func assumedRole() async throws -> AWSCredentials {
        guard hasRole, let role = self["role_arn"] else {
            throw TokenError.notConfigured(
                "The profile \(HTTP.printable(name)) assumes no role."
            )
        }
        guard self["mfa_serial"] == nil else {
            throw TokenError.invalid(
                "The profile \(HTTP.printable(name)) has mfa_serial: its role takes a code that someone "
                    + "types. Use a role without, or credentials of the AWS CLI by credential_process."
            )
        }
        var parameters = AssumedRole(role: role, sessionName: self["role_session_name"])
        parameters.externalID = self["external_id"]
        parameters.duration = self["duration_seconds"].flatMap { Int($0) }
        let source = try await sourceCredentials()
        return try await SecurityTokenService(environment, profile: profile)
            .assume(parameters, by: source)
    }

    private func sourceCredentials() async throws -> AWSCredentials {
        let shown = HTTP.printable(name)
        switch (self["source_profile"], self["credential_source"]) {
        case (.some, .some):
            throw TokenError.invalid(
                "The profile \(shown) has both source_profile and credential_source. Remove one."
            )
        case (nil, nil):
            throw TokenError.invalid(
                "The profile \(shown) has role_arn without source_profile or credential_source."
            )
        case (nil, let source?):
            return try await credentials(of: source)
        case (let source?, nil):
            return try await credentials(ofProfile: source)
        }
    }

    private func credentials(of source: String) async throws -> AWSCredentials {
        do {
            switch source {
            case "Environment": return try environment.variableCredentials()
            case "EcsContainer": return try await ContainerCredentials(environment).credentials()
            case "Ec2InstanceMetadata":
                return try await InstanceMetadata(environment).credentials()
            default:
                throw TokenError.invalid(
                    "The profile \(HTTP.printable(name)) has a credential_source other than Environment, "
                        + "EcsContainer and Ec2InstanceMetadata."
                )
            }
        } catch let error as TokenError where error.code == .notConfigured {
            throw TokenError(
                .unavailable,
                "The credential_source \(source) of the profile \(HTTP.printable(name)) has none: "
                    + error.message
            )
        }
    }

    private func credentials(ofProfile source: String) async throws -> AWSCredentials {
        guard config.profile(source) != nil else {
            throw TokenError.invalid(
                "The source_profile \(HTTP.printable(source)) of the profile \(HTTP.printable(name)) does "
                    + "not exist."
            )
        }
        var next = self.named(source)
        // The first profile of a chain may name itself as the source, if it has keys.
        let isOwn = source == name && path.count == 1 && next.hasKeys
        guard !path.contains(source) || isOwn else {
            throw TokenError.invalid(
                "The source_profile of the profile \(HTTP.printable(name)) leads back to "
                    + "\(HTTP.printable(source))."
            )
        }
        next.path = path + [source]
        guard next.hasRole, !next.hasKeys else {
            do {
                return try await next.ownCredentials()
            } catch let error as TokenError where error.code == .notConfigured {
                throw TokenError.invalid(error.message)
            }
        }
        return try await next.assumedRole()
    }

    private func named(_ name: String) -> ProfileCredentials {
        ProfileCredentials(environment, config, name)
    }

    private init(_ environment: AWSEnvironment, _ config: SharedConfig, _ name: String) {
        self.environment = environment
        self.config = config
        self.name = name
        path = [name]
    }
}
