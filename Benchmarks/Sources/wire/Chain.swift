import Engines
import InterceptorKit
import Loading

/// What stands between a caller and an engine.
enum Chain: String, CaseIterable {
    /// A client without interceptors.
    case empty
    /// The standard chain as it is.
    case standard
    /// The standard chain with an error filter, a token and a signature.
    case full

    func client(
        of origin: HTTP.Origin,
        over transport: some Transport<HTTP.Request>
    ) throws -> HTTP.Client {
        switch self {
        case .empty: try HTTP.Client(transport: transport) {}
        case .standard: try .standard(transport: transport)
        case .full:
            try .standard(transport: transport) {
                ErrorFilterInterceptor()
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer("a-token-of-a-benchmark")),
                    origins: [origin]
                )
                SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret-of-a-benchmark"))
            }
        }
    }
}

extension Fetcher {
    /// A client with a chain over an engine, and the whole of each body.
    init(_ chain: Chain, over opened: Engine.Opened, of engine: Engine) {
        self.init(
            "\(engine.transport), \(chain.rawValue)",
            prepare: { text in
                let url = try HTTP.URL(string: text)
                guard let origin = url.origin else {
                    throw UnexpectedAnswer("\(text) has no origin.")
                }
                let client = try chain.client(of: origin, over: opened.transport)
                let request = HTTP.Request.get(url)
                return {
                    let response = try await client.send(request)
                    guard response.status == 200 else {
                        throw UnexpectedAnswer("\(text) was answered with \(response.status).")
                    }
                    return try await response.body.collect().count
                }
            },
            close: opened.close
        )
    }
}
