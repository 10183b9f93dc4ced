import InterceptorKit

/// The shared config and credentials files, with the profiles of both.
struct SharedConfig {
    static let sizeLimit = 1 << 20

    /// The profiles of the config file only.
    private(set) var configProfiles: [String: ConfigFile.Section] = [:]
    /// The sections of the credentials file, each of which is a profile.
    private(set) var credentialsProfiles: [String: ConfigFile.Section] = [:]
    /// The single sign-on sessions by name.
    private(set) var signOnSessions: [String: ConfigFile.Section] = [:]
    /// The settings of services, by the name that profiles use for them.
    private(set) var services: [String: ConfigFile.Section] = [:]

    init(_ environment: AWSEnvironment) throws(TokenError) {
        let config = environment.variable("AWS_CONFIG_FILE") ?? "~/.aws/config"
        let credentials =
            environment.variable("AWS_SHARED_CREDENTIALS_FILE") ?? "~/.aws/credentials"
        try self.init(
            config: Self.read(environment.path(config)),
            credentials: Self.read(environment.path(credentials))
        )
    }

    init(config: ConfigFile?, credentials: ConfigFile?) {
        for (name, section) in config?.sections ?? [] {
            if name == "default" {
                configProfiles[name] = section
            } else if name.begins(with: "profile") {
                if let profile = Self.second(name) { configProfiles[profile] = section }
            } else if name.begins(with: "sso-session") {
                if let session = Self.second(name) { signOnSessions[session] = section }
            } else if name.begins(with: "services") {
                if let group = Self.second(name) { services[group] = section }
            }
        }
        for (name, section) in credentials?.sections ?? [] { credentialsProfiles[name] = section }
    }

    /// Returns a profile's settings, in which the credentials file has precedence; `nil` if it is in neither file.
    func profile(_ name: String) -> ConfigFile.Section? {
        guard let config = configProfiles[name] else { return credentialsProfiles[name] }
        guard let credentials = credentialsProfiles[name] else { return config }
        var merged = config
        merged.values.merge(credentials.values) { $1 }
        merged.nested.merge(credentials.nested) { $1 }
        return merged
    }

    /// Returns the name in `profile name` or `profile "a name"`; `nil` if there is not exactly one.
    private static func second(_ name: String) -> String? {
        guard let words = ShellWords.split(name), words.count == 2 else { return nil }
        return words[1]
    }

    private static func read(_ path: String) throws(TokenError) -> ConfigFile? {
        guard let text = try BoundedFile.text(path, upTo: sizeLimit) else { return nil }
        do throws(ConfigFileError) {
            return try ConfigFile(text)
        } catch {
            throw .invalid(
                "The file \(HTTP.printable(path)) cannot be read: line \(error.line) \(error.problem)."
            )
        }
    }
}

extension AWSEnvironment {
    /// Returns the region from variables or the profile.
    func configuredRegion() throws(TokenError) -> String? {
        if let region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") { return region }
        let region = try SharedConfig(self).profile(profileName)?["region"]
        return region.flatMap { $0.isEmpty ? nil : $0 }
    }
}
