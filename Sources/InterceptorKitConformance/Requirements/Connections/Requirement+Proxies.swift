import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    /// The requirements for transports behind a proxy, which are created with its URL.
    static func proxies(
        _ make: @escaping @Sendable (HTTP.URL) throws -> any Transport<HTTP.Request>
    ) -> [Self] {
        [
            refusedTunnel(407, [.proxyRefused], make),
            // Not every engine reports the status.
            refusedTunnel(403, [.proxyRefused, .cannotConnect], make),
            refusedTunnel(502, [.cannotConnect], make),
            Self("reports a proxy that cannot be reached as unsent") { context in
                // Nothing listens on the port of a stopped server.
                let proxy = try context.server(.status(200))
                let transport = try make(proxy.url("/"))
                proxy.stop()

                for url: HTTP.URL in ["http://origin.example/", "https://origin.example/"] {
                    let error = try await context.transportError(.cannotConnect, of: "The send") {
                        try await transport.send(.post(url, body: "x"), call: Call())
                    }
                    try expect(error.isUnsent, "It may have been sent: \(error.message)")
                }
            },
        ]
    }

    private static func refusedTunnel(
        _ status: HTTP.Status,
        _ codes: [TransportError.Code],
        _ make: @escaping @Sendable (HTTP.URL) throws -> any Transport<HTTP.Request>
    ) -> Self {
        Self("reports a tunnel that a proxy refuses with \(status.code) as unsent") { context in
            let proxy = try context.server(
                .status(status, headers: ["Proxy-Authenticate": "Basic realm=p"])
            )
            let transport = try make(proxy.url("/"))
            let request = HTTP.Request.post(
                "https://origin.example/",
                headers: ["Authorization": "Bearer t"],
                body: "x"
            )

            let error = try await context.transportError(
                .proxyRefused,
                .cannotConnect,
                of: "The send"
            ) {
                try await transport.send(request, call: Call())
            }

            try expect(codes.contains(error.code), "It failed as \(error.code): \(error.message)")
            try expect(error.isUnsent, "It may have been sent: \(error.message)")
            let asked = try context.single(proxy)
            try expect(asked.method, is: "CONNECT", "The method that the proxy received")
            try expect(asked.headers["Authorization"], is: nil, "The proxy's Authorization")
        }
    }
}
