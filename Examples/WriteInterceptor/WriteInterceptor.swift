import InterceptorKit
import InterceptorKitTesting

/// An interceptor with all that makes one whole: both directions, a value of the call, an event, a place and a
/// check of its settings.
@main
struct WriteInterceptor {
    static func main() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            let isOld = request.headers["X-Service-Version"] == "2024-01-31"
            return HTTP.Response(
                200,
                headers: isOld ? ["Sunset": "Sat, 31 Jan 2026 00:00:00 GMT"] : [:]
            )
        }
        let events = RecordingEventSink()
        let api = try HTTP.Client(transport: transport, events: events) {
            DeprecationInterceptor(version: "2026-01-31")
            RetryInterceptor(policy: .standard)
            SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
        }
        print(api)

        print("\n1. On the way down it adds a field, on the way up it looks at one.")
        _ = try await api.send(.get("https://api.example.com/orders"))
        _ = try await api.send(.get("https://api.example.com/orders")) {
            $0.serviceVersion = "2024-01-31"
        }
        for sent in transport.sent {
            print("   sent \(sent.input.headers["X-Service-Version"] ?? "none")")
        }
        for event in events.events where event.name == "service.deprecated" {
            print("   \(event.name): until \(event.attributes["sunset"].map { "\($0)" } ?? "")")
        }

        print("\n2. In a place where a signature would not cover it, it is refused.")
        report {
            try HTTP.Client(transport: transport) {
                SignInterceptor(.hmacSHA256(keyID: "app-1", secret: "secret"))
                DeprecationInterceptor(version: "2026-01-31")
            }
        }

        print("\n3. So is a setting that cannot work.")
        report {
            try HTTP.Client(transport: transport) { DeprecationInterceptor(version: "latest") }
        }
    }

    private static func report(_ make: () throws -> HTTP.Client) {
        do {
            _ = try make()
        } catch {
            print("   \(error)")
        }
    }
}
