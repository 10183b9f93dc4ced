import InterceptorKit
public import Measuring

extension Resilience {
    /// Whole chains, as a client has them. The first has no interceptor.
    public static func chains() throws -> [Workload] {
        let signing = SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
        var settings = StandardSettings<HTTP.Request>()
        settings.rateLimit = wide
        return [
            chain("nothing", try Pipeline(transport: RequestTransport()) {}),
            chain("signing alone", try Pipeline(transport: RequestTransport()) { signing }),
            chain("standard", try .standard(transport: RequestTransport())),
            chain(
                "standard without time limits",
                try .standard(.untimed, transport: RequestTransport())
            ),
            chain(
                "standard, signing",
                try .standard(transport: RequestTransport()) { signing }
            ),
            client(
                "client: standard, rate limit, token, signing",
                try .standard(settings, transport: RequestTransport()) {
                    BaseURLInterceptor("https://api.example.com/v1")
                    ErrorFilterInterceptor()
                    TokenInterceptor(
                        source: FixedCredentialSource(.bearer("token")),
                        origins: ["https://api.example.com"]
                    )
                    signing
                }
            ),
        ]
    }

    private static let request = HTTP.Request.get("https://api.example.com/v1/orders/42?limit=10")

    private static func chain(_ name: String, _ pipeline: Pipeline<HTTP.Request>) -> Workload {
        Workload(name, answer: 1) { [request] count in
            var sum = 0
            for _ in 0..<count { sum &+= try await pipeline.run(request).status.code / 200 }
            return sum
        }
    }

    private static func client(_ name: String, _ client: HTTP.Client) -> Workload {
        Workload(name, answer: 1) { [request] count in
            var sum = 0
            for _ in 0..<count { sum &+= try await client.send(request).status.code / 200 }
            return sum
        }
    }
}

extension StandardSettings<HTTP.Request> {
    /// The defaults without what needs a second task.
    fileprivate static var untimed: StandardSettings {
        var settings = StandardSettings<HTTP.Request>()
        settings.totalTimeout = nil
        settings.attemptTimeout = nil
        return settings
    }
}
