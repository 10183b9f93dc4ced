// A script that dispatches, one that is a conversation, and a request held in flight.
import InterceptorKit
import InterceptorKitTesting

func dispatches() async throws {
    // snippet.dispatch
    let transport = ScriptedTransport<HTTP.Request>(expecting: [
        .get("/orders/7", .status(503), .json(#"{"id": 7}"#)),
        .post("/orders", .status(201)).header("Content-Type", "application/json"),
        .when("any deletion", { $0.method == .delete }, .status(204)).repeating(),
    ])
    let client = try HTTP.Client(transport: transport) {
        RetryInterceptor(policy: .standard)
    }

    _ = try await client.send(.get("https://api.example.com/orders/7"))

    print(transport.sent.map(\.line))  // ["GET /orders/7", "GET /orders/7"]
    print(transport.unused)  // ["POST /orders", "any deletion"]
    // snippet.end
}

func converses() async throws {
    // snippet.conversation
    let transport = ScriptedTransport<HTTP.Request>(conversation: [
        .post("/login", .status(204)).body("name=a"),
        .get("/orders", .status(200), .status(304)),
        .post("/logout", .status(204)),
    ])
    // …
    try transport.verify()  // throws, and lists what was not sent
    // snippet.end
}

func holdsInFlight() async throws {
    // snippet.gate
    let gate = Gate("orders")
    let transport = ScriptedTransport<HTTP.Request>(expecting: [
        .get("/orders", .status(200).held(at: gate))
    ])
    async let response = transport.send(.get("https://api.example.com/orders"), call: Call())
    try await gate.waitForArrivals(1)  // in flight now
    print(transport.sent.count)  // 1
    gate.open()  // or gate.fail(TransportError(.connectionLost, "The connection was reset."))
    print(try await response.status)  // 200 OK
    // snippet.end
}
