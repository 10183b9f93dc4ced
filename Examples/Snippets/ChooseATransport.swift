// One chain over any engine.
import InterceptorKit

// snippet.client
func client(over transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        BaseURLInterceptor("https://api.example.com/v1")
        RetryInterceptor(policy: .standard)
    }
}
// snippet.end
