import InterceptorKit
import InterceptorKitTesting

/// A service that answers everything with 200 and says in an envelope whether it worked.
@main
struct ErrorEnvelopes {
    static func main() throws {
        // In virtual time, so that nobody waits for the retries.
        try Simulation.run { try await run($0.runtime) }
    }

    private static func run(_ runtime: Runtime) async throws {
        let transport = ScriptedTransport<HTTP.Request>(expecting: [
            .get("/orders/7", .json(#"{"code": 0, "data": {"id": 7}}"#)),
            .get("/busy", busy, .json(#"{"code": 0, "data": {"id": 8}}"#)),
            .get("/old-session", expired, .json(#"{"code": 0, "data": {"id": 9}}"#)),
            .get("/sold-out", .json(#"{"code": 1001, "message": "No teapots are left."}"#)),
            .get("/credit", refused),
            .get("/portal", portal).repeating(),
        ])
        let envelope = HTTP.ResponseEnvelope(unauthorized: [4001], transient: [5001])
        let api = try client(over: transport, envelope, runtime)

        for path in ["/orders/7", "/busy", "/old-session", "/sold-out", "/credit", "/portal"] {
            let before = transport.sent.count
            do {
                let order = try await api.send(.get("\(raw: path)")).decode(
                    Order.self,
                    in: envelope
                )
                print("\(path): order \(order.id), sends: \(transport.sent.count - before)")
            } catch let error as ShopError {
                print("\(path): \(error), sends: \(transport.sent.count - before)")
            } catch {
                print("\(path): \(error)")
            }
        }
    }

    /// The client has the envelope, and the retry, the token and the error filter read it there.
    private static func client(
        over transport: some Transport<HTTP.Request>,
        _ envelope: HTTP.ResponseEnvelope,
        _ runtime: Runtime
    ) throws -> HTTP.Client {
        let tokens = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in .bearer("new")
        }
        return try HTTP.Client(transport: transport, runtime: runtime, envelope: envelope) {
            BaseURLInterceptor("https://api.example.com")
            ErrorFilterInterceptor(
                map: { error in
                    switch error {
                    case FailurePattern.code(1001): ShopError.soldOut
                    case FailurePattern.problem("https://shop.example/out-of-credit"):
                        ShopError.noCredit
                    default: error
                    }
                }
            )
            RetryInterceptor()
            TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
        }
    }

    private static let busy = ScriptStep<HTTP.Request>.json(#"{"code": 5001, "message": "busy"}"#)
    private static let expired = ScriptStep<HTTP.Request>.json(
        #"{"code": 4001, "message": "expired"}"#
    )
    private static let refused = ScriptStep<HTTP.Request>.status(
        403,
        headers: ["Content-Type": "application/problem+json"],
        body:
            #"{"type": "https://shop.example/out-of-credit", "title": "You have no credit left."}"#
    )
    private static let portal = ScriptStep<HTTP.Request>.status(
        502,
        headers: ["Content-Type": "text/html"],
        body: "<html>Log in to this network</html>"
    )
}

struct Order: Decodable, Sendable { var id: Int }

enum ShopError: Error {
    case soldOut
    case noCredit
}
