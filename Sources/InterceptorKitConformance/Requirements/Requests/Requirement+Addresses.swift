import InterceptorKit
import InterceptorKitTesting

extension TransportConformance.Requirement {
    static let addresses: [Self] = [
        Self("connects to the address that a call names, or refuses the call") { context in
            let named = try context.server(.text("by name"))
            let addressed = try context.server(.text("by address"))
            var call = Call()
            call.connectAddress = HTTP.ConnectAddress(host: "127.0.0.1", port: addressed.port)

            // There are kept connections of both kinds, which must not be confused.
            var isSupported = true
            for _ in 0..<3 {
                _ = try await context.exchange(.get(named.url("/")))
                isSupported = try await context.isAnswered(.get(named.url("/")), call)
            }

            let count = isSupported ? 3 : 0
            try expect(named.requests.count, is: 3, "The number of requests by name")
            try expect(addressed.requests.count, is: count, "The number of requests by address")
            for request in addressed.requests {
                let host = request.headers["Host"]
                try expect(host, is: "127.0.0.1:\(named.port)", "The Host field")
            }
        }
    ]
}

extension ConformanceContext {
    /// Whether a call gets a response; `false` if it is rejected before anything is sent.
    fileprivate nonisolated(nonsending) func isAnswered(
        _ request: HTTP.Request,
        _ call: Call
    ) async throws -> Bool {
        do {
            let response = try await transport.send(request, call: call)
            _ = try await response.body.collect()
            return true
        } catch let error as TransportError where error.code == .unsupported {
            try expect(error.isUnsent, "It was refused, and may have been sent: \(error.message)")
            return false
        }
    }
}
