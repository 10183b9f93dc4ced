import InterceptorKit
public import Loading

extension Fetcher {
    /// An engine's transport, without a client or interceptors, and the whole of each body.
    public init(_ engine: Engine, connections: Int) throws {
        let opened = try engine.open(connections)
        self.init(
            engine.transport,
            prepare: { url in
                let request = HTTP.Request.get(HTTP.URL(unvalidated: url))
                return {
                    let response = try await opened.transport.send(request, call: Call())
                    guard response.status == 200 else {
                        throw UnexpectedAnswer("\(url) was answered with \(response.status).")
                    }
                    return try await response.body.collect().count
                }
            },
            close: opened.close
        )
    }
}
