#if Configuration
public import Configuration
public import InterceptorKit

extension HTTP.Client.Settings {
    /// Reads the settings of a client from a configuration.
    ///
    /// ```swift
    /// let config = ConfigReader(provider: provider)
    /// let settings = try HTTP.Client.Settings(config: config.scoped(to: "orders"))
    /// let api = try HTTP.Client(settings, transport: transport)
    /// ```
    ///
    /// <doc:ConfigurationKeys> lists the keys. A key without a value keeps the setting in `defaults`. To replace the
    /// settings of a client in use, see ``ReloadableClient``.
    /// - Parameters:
    ///   - config: The reader, in the scope of this client. All values come from one snapshot.
    ///   - defaults: The settings for keys without a value, and those that no configuration can hold, such as
    ///     credential sources and interceptors. `nil`, the default, means the usual settings; the key `baseURL` is then
    ///     required.
    /// - Throws: A ``ConfigurationError`` that names the keys with invalid values.
    public init(
        config: ConfigReader,
        defaults: HTTP.Client.Settings? = nil
    ) throws(ConfigurationError) {
        self = try ConfiguredSettings(config.snapshot(), defaults).settings
    }
}

struct ConfiguredSettings {
    var settings: HTTP.Client.Settings
    let values: ConfigurationValues

    init(
        _ config: ConfigSnapshotReader,
        _ defaults: HTTP.Client.Settings?
    ) throws(ConfigurationError) {
        var values = ConfigurationValues(config)
        let baseURL = try values.url("baseURL")
        guard var settings = defaults ?? baseURL.map(HTTP.Client.Settings.init(baseURL:)) else {
            throw .missing("baseURL")
        }
        if let baseURL { settings.baseURL = baseURL }
        try settings.readIdentity(&values)
        try settings.strategies.read(&values)
        self.settings = settings
        self.values = values
        do {
            try settings.validate()
            try settings.strategies.validate()
        } catch {
            throw configurationError(for: error)
        }
    }

    /// Returns the error for rejected settings, with the keys responsible.
    func configurationError(for error: PipelineError) -> ConfigurationError {
        let found = values.found.keys.sorted()
        let named = found.filter { error.message.contains(settingName(of: $0)) }
        let inNamedGroup = found.filter { key in
            key.holds(".") && error.message.holds(key.beginning(before: "."))
        }
        let keys = named.isEmpty ? inNamedGroup : named
        return .invalid(keys.map(values.shown), error.description, cause: error)
    }
}

/// The name of a key's setting, such as `maxWait` for `concurrencyLimit.maxWaitSeconds`.
private func settingName(of key: String) -> String {
    let name = key.split(at: ".").last.map(String.init) ?? key
    return name.ends(with: "Seconds") ? String(name.dropLast("Seconds".count)) : name
}

extension ConfigurationValues {
    fileprivate mutating func url(_ key: String) throws(ConfigurationError) -> HTTP.URL? {
        guard let text = try string(key) else { return nil }
        let url = HTTP.URL(unvalidated: text)
        do {
            try url.validate()
        } catch {
            throw .invalid([shown(key)], "\(error)", cause: error)
        }
        return url
    }
}

extension HTTP.Client.Settings {
    /// Reads the settings of the client's identity and the preparation of requests.
    fileprivate mutating func readIdentity(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        appID = try values.string("appID") ?? appID
        appVersion = try values.string("appVersion") ?? appVersion
        deviceID = try values.string("deviceID", isSecret: true) ?? deviceID
        locale = try values.string("locale") ?? locale
        token = try values.string("token", isSecret: true) ?? token
        secret = try values.string("secret", isSecret: true) ?? secret
        addsIdempotencyKeys = try values.bool("addsIdempotencyKeys") ?? addsIdempotencyKeys
        compressesBodies = try values.bool("compressesBodies") ?? compressesBodies
        isDebugging = try values.bool("isDebugging") ?? isDebugging
    }
}
#endif
