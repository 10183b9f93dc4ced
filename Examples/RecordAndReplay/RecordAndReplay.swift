import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Records what a real server answers, without its secrets, and replays it when the server is gone.
@main
struct RecordAndReplay {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cassette = folder.appending(path: "orders.har").path

        print("1. Recorded against a server on this machine.")
        let server = try LoopbackServer(script: [
            .status(503, headers: ["Retry-After": "0"]),
            .json(#"{"id": 7, "item": "teapot", "access_token": "t-4711"}"#),
        ])
        let engine = URLSessionTransport()
        let recording = try RecordingTransport(.record, cassette: cassette, over: engine)
        try await show(client(over: recording, at: server.origin))
        print("   requests to the server: \(server.requests.count)")
        server.stop()
        engine.close()

        print("2. What is in the file.")
        let text = try String(contentsOfFile: cassette, encoding: .utf8)
        for secret in ["Bearer key-4711", "t-4711"] {
            print("   \(secret): \(text.contains(secret) ? "shown" : "hidden")")
        }

        print("3. Replayed without a server: the same answers, the same retry.")
        let replay = try RecordingTransport(replaying: cassette)
        try await show(client(over: replay, at: server.origin))
        try replay.verify()

        print("4. A request that was not recorded says what comes nearest to it.")
        do {
            let other = try client(over: RecordingTransport(replaying: cassette), at: server.origin)
            _ = try await other.send(.get("/orders/8"))
        } catch let error as TestKitError {
            print("   \(error.code)")
            for difference in error.differences {
                print("   \(difference.replacing("\(server.origin)", with: ""))")
            }
        }
    }

    private static func client(
        over transport: some Transport<HTTP.Request>,
        at origin: HTTP.Origin
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport) {
            BaseURLInterceptor(HTTP.URL("\(origin)"))
            RetryInterceptor(policy: .standard)
            TokenInterceptor(source: FixedCredentialSource(.bearer("key-4711")), origins: [origin])
        }
    }

    private static func show(_ client: HTTP.Client) async throws {
        let response = try await client.send(.get("/orders/7"))
        print(
            "   \(response.status) after \(response.attempts.count) attempts: \(try await response.text())"
        )
    }
}
