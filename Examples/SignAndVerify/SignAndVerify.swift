import InterceptorKit
import InterceptorKitTesting

/// Signs requests on one side and verifies them on the other, and shows what does not get through.
@main
struct SignAndVerify {
    static func main() async throws {
        let keys = FixedSigningKeys([
            SigningKey(id: "app-1", secret: "secret".utf8),
            SigningKey(id: "app-2", secret: "another secret".utf8),
        ])
        let service = Service(keys)
        let clock = VirtualClock()
        let sign = SignInterceptor(RequestSigner(HMACScheme(), keys: keys), learnsClockSkew: false)
        let api = try HTTP.Client(transport: service, runtime: .virtual(clock: clock)) {
            BaseURLInterceptor("https://api.example.com/v1")
            sign
        }
        let order = try HTTP.Request.post("/orders").json(["item": "teapot"])

        try await show("1. A signed request", api.send(order))
        try await show(
            "2. With the key that the call names",
            api.send(order) { $0.signingKeyID = "app-2" }
        )
        try await show(
            "3. Unsigned, because the call says so",
            api.send(order) { $0.signsRequest = false }
        )

        guard let genuine = service.received.first else { return }
        let call = Call(runtime: .virtual(clock: clock))
        try await show("4. The first one sent again", service.send(genuine, call: call))
        var changed = genuine
        changed.body = try .json(["item": "gold"])
        try await show("5. With another body", service.send(changed, call: call))
        clock.advance(by: .seconds(600))
        try await show("6. Ten minutes later", service.send(genuine, call: call))

        print("7. An interceptor that changes a request below the signature")
        let careless = try HTTP.Client(transport: service) {
            BaseURLInterceptor("https://api.example.com/v1")
            sign
            AnyInterceptor("careless") { chain in
                try await chain.proceed { $0.headers["Content-Type"] = "text/plain" }
            }
        }
        do {
            _ = try await careless.send(order)
        } catch {
            print("   \(error)")
        }
    }

    private static func show(_ title: String, _ response: HTTP.Response) async throws {
        print(title)
        print("   \(response.status): \(try await response.text())")
    }
}
