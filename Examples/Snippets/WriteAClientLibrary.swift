// What the guide WriteAClientLibrary and the doc comments of deferred errors show.
import InterceptorKit
import InterceptorKitTransport

struct ServiceSettings: Sendable {
    var endpoint: String
}

struct DeferredService: Sendable {
    private let http: HTTP.Client

    init(transport: URLSessionTransport, settings: ServiceSettings) {
        // snippet.deferred
        http = HTTP.Client(deferringErrors: {
            try HTTP.Client(transport: transport) {
                BaseURLInterceptor(try HTTP.URL(string: settings.endpoint))
                ErrorFilterInterceptor()
            }
        })
        // snippet.end
    }
}
