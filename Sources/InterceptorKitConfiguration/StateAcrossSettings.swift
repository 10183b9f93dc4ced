#if Configuration
import InterceptorKit

/// The interceptor that attaches the settings' credentials, with its current credential and a refresh in flight. Two
/// interceptors for one source could refresh at once, and use a refresh token twice.
struct SharedToken {
    let interceptor: TokenInterceptor
    private let origin: HTTP.Origin

    /// - Parameter earlier: The one in use, which is kept for the same origin.
    init?(_ settings: HTTP.Client.Settings, after earlier: SharedToken?) {
        guard let credentials = settings.credentials, let origin = settings.baseURL.origin else {
            return nil
        }
        if let earlier, earlier.origin == origin {
            self = earlier
        } else {
            self.origin = origin
            interceptor = credentials.interceptor(for: origin)
        }
    }
}

extension CredentialSource {
    fileprivate func interceptor(for origin: HTTP.Origin) -> TokenInterceptor {
        TokenInterceptor(source: self, origins: [origin])
    }
}

extension ConfiguredSettings {
    func client(
        _ transport: some Transport<HTTP.Request>,
        _ runtime: Runtime,
        _ events: (any EventSink)?,
        _ redaction: Redaction?,
        _ token: SharedToken?
    ) throws(ConfigurationError) -> HTTP.Client {
        var settings = settings
        if let token {
            settings.credentials = nil
            settings.interceptors.insert(token.interceptor, at: 0)
        }
        do {
            return try HTTP.Client(
                settings,
                transport: transport,
                runtime: runtime,
                events: events,
                redaction: redaction
            )
        } catch {
            throw configurationError(for: error)
        }
    }
}

extension StandardSettings<HTTP.Request> {
    /// Keeps the stateful objects of earlier settings, which these settings would otherwise reset.
    mutating func keepState(of earlier: StandardSettings) {
        // Budgets have no configured numbers, so the earlier ones still apply.
        if let earlier = earlier.retry { retry?.budget = earlier.budget }
        if let earlier = earlier.hedge {
            hedge?.budget = earlier.budget
            hedge?.sharedBudget = earlier.sharedBudget
        }
        if let policy = breaker?.policy, let earlier = earlier.breaker, earlier.policy == policy {
            breaker = earlier
        }
    }
}
#endif
