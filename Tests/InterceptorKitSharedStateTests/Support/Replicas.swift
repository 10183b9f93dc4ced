import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Replicas of a service in a simulation, which share a store of idempotency records.
final class Replicas: Sendable {
    typealias Handler = @Sendable (HTTP.Request, Call) async throws -> HTTP.Response

    let simulation: Simulation
    let memory: MemoryIdempotencyStore
    let store: any IdempotencyStore
    let policy: IdempotencyPolicy
    let events = RecordingEventSink()
    private let handler: Handler
    private let handled = Lock(0)

    /// - Parameter handler: Defaults to one that takes a second and numbers its responses.
    init(
        _ simulation: Simulation,
        policy: IdempotencyPolicy = IdempotencyPolicy(),
        handler: Handler? = nil,
        store: (MemoryIdempotencyStore) -> any IdempotencyStore = { $0 }
    ) {
        self.simulation = simulation
        memory = MemoryIdempotencyStore(runtime: simulation.runtime)
        self.store = store(memory)
        self.policy = policy
        self.handler =
            handler ?? { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response(201, headers: ["Location": "/orders/1"], body: .text("made"))
            }
    }

    /// How many requests were handled.
    var runs: Int { handled.withLock(\.self) }

    /// Sends a request to a new replica.
    func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        let client = try HTTP.Client(
            transport: ScriptedTransport<HTTP.Request> { [self] request, call in
                handled.withLock { $0 += 1 }
                return try await handler(request, call)
            },
            timeout: nil,
            runtime: simulation.runtime,
            events: events
        ) {
            IdempotencyInterceptor(store, policy: policy) { request, _ in
                request.headers["X-User"] ?? "alice"
            }
        }
        return try await client.send(request)
    }

    /// Sends an order to a new replica.
    func order(_ content: String = "1 tea", key: String = "\"k-1\"") async throws -> HTTP.Response {
        try await send(Self.request(content, key: key))
    }

    static func request(_ content: String = "1 tea", key: String? = "\"k-1\"") -> HTTP.Request {
        var request = HTTP.Request.post("https://shop.example/orders", body: .text(content))
        if let key { request.headers["Idempotency-Key"] = key }
        return request
    }
}

/// What a test asks of a response.
struct Answer: Equatable, Sendable {
    var status: Int
    var content: String
    var isReplayed = false

    init(_ status: Int, _ content: String, isReplayed: Bool = false) {
        self.status = status
        self.content = content
        self.isReplayed = isReplayed
    }

    /// The status and the content, or the `code` of problem details.
    init(_ response: HTTP.Response) async throws {
        status = response.status.code
        isReplayed = response.headers["Idempotent-Replayed"] == "true"
        if response.headers["Content-Type"] == "application/problem+json" {
            content = try await response.decode(Problem.self).code
        } else {
            content = try await response.text()
        }
    }

    private struct Problem: Decodable {
        let code: String
    }
}

extension Replicas {
    /// The fingerprint of ``request(_:key:)``, each part after its length.
    static var fingerprint: Data {
        Data(
            HashAlgorithm.sha256.hash("4:POST7:/orders0:25:text/plain; charset=utf-80:5:1 tea".utf8)
        )
    }
}
