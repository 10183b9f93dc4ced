import InterceptorKit
import InterceptorKitCurl
import InterceptorKitLoadBalancing
import Synchronization

/// Who copes with the loss of a backend.
enum Contender: String {
    /// The standard client over the four.
    case interceptorKit = "InterceptorKit"
    /// The same client, which knows one port: that of haproxy, which knows the four.
    case haproxy
    /// The same with Envoy.
    case envoy = "Envoy"
    /// The four in turn, and an error is an error.
    case roundRobin = "round robin alone"

    func client(
        _ ports: [Int],
        attemptTimeout: Duration,
        counting sends: Sends
    ) throws -> HTTP.Client {
        let transport = CountingTransport(base: try CurlTransport(), sends: sends)
        let endpoints = ports.map {
            ServiceEndpoint(HTTP.URL(unvalidated: "http://127.0.0.1:\($0)"))
        }
        var settings = StandardSettings<HTTP.Request>()
        settings.attemptTimeout = attemptTimeout
        switch self {
        case .interceptorKit, .haproxy, .envoy:
            return try .standard(settings, endpoints: endpoints, transport: transport) {
                IdempotencyKeyInterceptor()
            }
        case .roundRobin:
            var judging = LoadBalancingSettings()
            judging.outlierDetection = nil
            return try HTTP.Client(transport: transport, timeout: attemptTimeout) {
                IdempotencyKeyInterceptor()
                LoadBalancingInterceptor(
                    LoadBalancer(endpoints, policy: RoundRobinPolicy(), settings: judging)
                )
            }
        }
    }
}

/// How often requests were sent.
final class Sends: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
}

private struct CountingTransport<Base: Transport<HTTP.Request>>: Transport {
    let base: Base
    let sends: Sends

    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        sends.add()
        return try await base.send(request, call: call)
    }
}
