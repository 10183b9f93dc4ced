// What the guide OrderOfTheChain shows.
import InterceptorKit

// snippet.stage
extension Placement {
    static let audit = Placement("audit", inside: [.retry], outside: [.signing])
        .consequence(outside: [.retry], "all attempts would be one entry in the audit")
}

struct AuditInterceptor: Interceptor {
    var placement: Placement? { .audit }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        try await chain.proceed()
    }
}
// snippet.end

func refused(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    // snippet.refused
    let api = try HTTP.Client(transport: transport) {
        AuditInterceptor()
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}
