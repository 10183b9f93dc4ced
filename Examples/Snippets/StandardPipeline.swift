// What the guide StandardPipeline shows.
import InterceptorKit
import InterceptorKitTransport

func standard(_ tokens: some CredentialSource, secret: String) throws -> HTTP.Client {
    // snippet.client
    let api = try HTTP.Client.standard(transport: URLSessionTransport()) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    }
    // snippet.end
    return api
}

func tuned() throws -> HTTP.Client {
    // snippet.settings
    var settings = StandardSettings<HTTP.Request>()
    settings.totalTimeout = .seconds(8)
    settings.attemptTimeout = .seconds(2)
    settings.retry?.maxAttempts = 2
    settings.rateLimit = RateLimitPolicy(calls: 100)
    settings.adaptiveLimit = AdaptiveConcurrencyLimit()
    let api = try HTTP.Client.standard(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}
