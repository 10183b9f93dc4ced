// What the documentation comments of interceptors for HTTP show.
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func parameters(
    _ transport: some Transport<HTTP.Request>,
    _ device: String
) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.parameters
        CommonParametersInterceptor(origins: ["https://api.example.com"]) { call in
            [
                "app_id": "shop", "app_version": "2.1",
                "device_id": device,
                "ts": "\(Int(call.runtime.date.timeIntervalSince1970))",
            ]
        }
        // snippet.end
    }
}

func headers(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.headers
        DefaultHeadersInterceptor(["Accept": "application/json"])
        DefaultHeadersInterceptor(merging: .replaceExisting) { call in
            ["X-Sent-At": HTTP.text(for: call.runtime.date)]
        }
        // snippet.end
    }
}

func served(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.deadline
        CallerDeadlineInterceptor(.milliseconds("X-Request-Timeout-Ms"), atMost: .seconds(30))
        TimeoutInterceptor(total: .seconds(30))
        // snippet.end
    }
}

func onBehalf(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    // snippet.behalf
    let prices = try HTTP.Client(transport: transport) {
        ServedCallInterceptor()
        RetryInterceptor(policy: .standard)
        DeadlineFieldInterceptor(.milliseconds("X-Request-Timeout-Ms"))
        TraceContextInterceptor()
    }
    // snippet.end
    return prices
}

func traced(_ transport: some Transport<HTTP.Request>, _ secret: String) throws -> HTTP.Client {
    // snippet.trace
    let api = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
        TraceContextInterceptor()
        SignInterceptor(.hmacSHA256(keyID: "app-1", secret: secret))
    }
    // snippet.end
    return api
}

actor Log {
    private var records: [String] = []

    func append(_ record: String) { records.append(record) }
}

func logged(_ transport: some Transport<HTTP.Request>, _ log: Log) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.log
        LoggingInterceptor()  // a line for each pass, on standard error
        LoggingInterceptor(.bodies) { record in await log.append(record) }  // with bodies
        // snippet.end
    }
}

func enveloped(
    _ transport: some Transport<HTTP.Request>,
    _ tokens: some CredentialSource
) throws -> HTTP.Client {
    // snippet.envelope
    let api = try HTTP.Client(
        transport: transport,
        envelope: HTTP.ResponseEnvelope(unauthorized: [4001], transient: [5001])
    ) {
        ErrorFilterInterceptor()
        RetryInterceptor()
        TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    }
    // snippet.end
    return api
}
