#if Configuration
import Configuration
import InterceptorKit
import InterceptorKitConfiguration

/// A transport from a closure.
struct Server: Transport {
    let reply: @Sendable (HTTP.Request, Call) async throws -> HTTP.Response

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await reply(request, call)
    }
}

/// A transport that answers every request with 200.
let fine = Server { _, _ in HTTP.Response(200) }

extension MutableInMemoryProvider {
    func setText(_ text: String, forKey key: AbsoluteConfigKey) {
        setValue(ConfigValue(.string(text), isSecret: false), forKey: key)
    }
}

/// A reader of these values.
func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
    ConfigReader(provider: InMemoryProvider(values: values))
}

/// The settings that these values make of the usual ones, with a base URL.
func settings(
    _ values: [AbsoluteConfigKey: ConfigValue],
    defaults: HTTP.Client.Settings? = HTTP.Client.Settings(baseURL: "https://api.example.com")
) throws(ConfigurationError) -> HTTP.Client.Settings {
    try HTTP.Client.Settings(config: reader(values), defaults: defaults)
}

/// The error that these values are refused with.
func refusal(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigurationError? {
    do {
        _ = try ReloadableClient(
            config: reader(values),
            defaults: HTTP.Client.Settings(baseURL: "https://api.example.com"),
            transport: fine
        )
        return nil
    } catch {
        return error
    }
}
#endif
