import Expectations
import InterceptorKit
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Testing

@Suite("LoadBalancingInterceptor")
struct LoadBalancingInterceptorTests {
    private let replicas: [ServiceEndpoint] = ["https://a.example/v1", "https://b.example/v1"]

    // dotnet/extensions issue 6298: the base path of the second one was dropped.
    @Test("puts the base path of each endpoint in front of the request's path")
    func basePath() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let pipeline = try Pipeline<HTTP.Request>(transport: transport) {
            LoadBalancingInterceptor(LoadBalancer(replicas, policy: RoundRobinPolicy()))
        }

        for _ in 0..<2 { _ = try await pipeline.run(.get("/orders?page=2")) }

        expectEqual(
            transport.sent.map(\.input.url.text).sorted(),
            [
                "https://a.example/v1/orders?page=2", "https://b.example/v1/orders?page=2",
            ]
        )
    }

    @Test("treats requests for the service's origin like relative ones")
    func service() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let pipeline = try Pipeline<HTTP.Request>(transport: transport) {
            LoadBalancingInterceptor(
                LoadBalancer(["https://a.example/v1"]),
                for: "https://orders.internal"
            )
        }

        _ = try await pipeline.run(.get("https://orders.internal/7?x=1"))
        _ = try await pipeline.run(.get("https://orders.internal//b.example/7"))
        _ = try await pipeline.run(.get("https://other.example/7"))

        expectEqual(
            transport.sent.map(\.input.url.text),
            [
                "https://a.example/v1/7?x=1", "https://a.example/v1//b.example/7",
                "https://other.example/7",
            ]
        )
    }

    @Test("does not send an attempt to the endpoint of the one before", arguments: 0..<20)
    func moreAttemptsThanEndpoints(seed: UInt64) throws {
        let replicas = replicas
        let hosts = try Simulation.run(seed: seed) { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let pipeline = try Pipeline<HTTP.Request>(
                transport: transport,
                runtime: simulation.runtime
            ) {
                RetryInterceptor(maxAttempts: 4)
                LoadBalancingInterceptor(replicas)
            }
            _ = try await pipeline.run(.get("/x"))
            return transport.sent.map(\.input.url.host)
        }

        expectEqual(hosts.count, 4)
        expectTrue(zip(hosts, hosts.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("sends a redirect within an endpoint to that endpoint, path unchanged")
    func redirect() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            request.url.path == "/v1/old"
                ? HTTP.Response(302, headers: ["Location": "/v1/new"]) : HTTP.Response(200)
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            RedirectInterceptor()
            LoadBalancingInterceptor(replicas)
        }

        for _ in 0..<10 { _ = try await client.send(.get("/old")) }

        let sent = transport.sent.map(\.input.url)
        let pairs = stride(from: 0, to: 20, by: 2).map { (sent[$0], sent[$0 + 1]) }
        expectEqual(sent.count, 20)
        expectTrue(pairs.allSatisfy { $0.origin == $1.origin && $1.path == "/v1/new" })
    }

    @Test("leaves a redirect to another origin to the rules for redirects")
    func redirectElsewhere() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            request.url.path == "/v1/old"
                ? HTTP.Response(302, headers: ["Location": "https://other.example/new"])
                : HTTP.Response(200)
        }
        let client = try HTTP.Client(transport: transport, timeout: nil) {
            RedirectInterceptor()
            LoadBalancingInterceptor(replicas)
        }

        let response = try await client.send(
            .get("/old", headers: ["Authorization": "Bearer secret"])
        )

        expectEqual(response.request?.url.text, "https://other.example/new")
        expectEqual(transport.sent.last?.input.headers["Authorization"], nil)
    }

    @Test("refuses a credential that is not meant for all endpoints")
    func credentialOrigins() throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }

        let error = #expect(throws: PipelineError.self) {
            try Pipeline<HTTP.Request>(transport: transport) {
                LoadBalancingInterceptor(replicas)
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer("t")),
                    origins: ["https://a.example"]
                )
            }
        }

        expectEqual(error?.code, .invalidSetting)
        let text = error?.description ?? ""
        expectTrue(text.contains("lack those of endpoints: https://b.example."))
    }

    @Test("sends the credential to each of the endpoints that it is meant for")
    func credential() async throws {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        let pipeline = try Pipeline<HTTP.Request>(transport: transport) {
            LoadBalancingInterceptor(LoadBalancer(replicas, policy: RoundRobinPolicy()))
            TokenInterceptor(
                source: FixedCredentialSource(.bearer("t")),
                origins: ["https://a.example", "https://b.example"]
            )
        }

        for _ in 0..<2 { _ = try await pipeline.run(.get("/x")) }

        expectEqual(
            transport.sent.map { $0.input.headers["Authorization"] == "Bearer t" },
            [true, true]
        )
    }

    @Test("is refused below the token, whose origin it would change")
    func order() {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }

        let error = #expect(throws: PipelineError.self) {
            try Pipeline<HTTP.Request>(transport: transport) {
                TokenInterceptor(
                    source: FixedCredentialSource(.bearer("t")),
                    origins: ["https://a.example", "https://b.example"]
                )
                LoadBalancingInterceptor(replicas)
            }
        }

        expectEqual(error?.code, .order)
    }

    @Test("refuses endpoints and settings that cannot work")
    func validation() {
        let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(200) }
        var settings = LoadBalancingSettings()
        settings.panicThreshold = 2
        let balancers = [
            LoadBalancer([]), LoadBalancer(["/relative"]), LoadBalancer(["ftp://a.example"]),
            LoadBalancer([ServiceEndpoint("https://a.example", weight: 0)]),
            LoadBalancer(["https://a.example"], settings: settings),
            LoadBalancer(["https://a.example"], origins: ["https://b.example"]),
        ]

        for balancer in balancers {
            #expect(throws: PipelineError.self) {
                try Pipeline<HTTP.Request>(transport: transport) {
                    LoadBalancingInterceptor(balancer)
                }
            }
        }
    }

    @Test("waits for the first endpoints, and no longer than it may")
    func firstEndpoints() throws {
        let (result, late) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let log = LoadLog()
            let servers = SimulatedServers(["https://a.example"])
            let balancer = LoadBalancer([], origins: ["https://a.example"])
            let pipeline = try Pipeline<HTTP.Request>(transport: servers, runtime: runtime) {
                LoadBalancingInterceptor(balancer)
            }
            let send: @Sendable () async -> Void = {
                do {
                    _ = try await pipeline.run(.get("/x"))
                } catch {
                    log.note(failure: error)
                    log.note(latency: runtime.now.offset)
                }
            }
            await runtime.start("early call", send).value
            let cancelled = runtime.start("cancelled call", send)
            try await runtime.sleep(for: .seconds(1))
            cancelled.cancel()
            await cancelled.value
            async let status = pipeline.run(.get("/x")).status
            try await runtime.sleep(for: .seconds(2))
            balancer.update(["https://a.example"], at: runtime.now)
            return (log.result, try await status)
        }

        expectEqual(result.failures.first?.hasPrefix("There is no endpoint"), true)
        expectEqual(result.failures.last, "CancellationError()")
        expectEqual(result.latencies, [.seconds(5), .seconds(6)])
        expectEqual(late, 200)
    }

    @Test("counts a cancelled attempt out")
    func cancellation() throws {
        let inFlight = try Simulation.run { simulation in
            let balancer = LoadBalancer(["https://a.example"])
            let servers = SimulatedServers(["https://a.example"], .neverAnswers)
            let pipeline = try Pipeline<HTTP.Request>(
                transport: servers,
                runtime: simulation.runtime
            ) { LoadBalancingInterceptor(balancer) }
            let task = simulation.runtime.start("call") { _ = try? await pipeline.run(.get("/x")) }
            try await simulation.runtime.sleep(for: .seconds(1))
            let before = balancer.status(at: simulation.runtime.now)[0].inFlight
            task.cancel()
            await task.value
            return [before, balancer.status(at: simulation.runtime.now)[0].inFlight]
        }

        expectEqual(inFlight, [1, 0])
    }

    @Test("gives the breaker below it a state for each endpoint")
    func breakers() throws {
        let (a, b) = try Simulation.run { simulation in
            var policy = CircuitBreakerPolicy()
            policy.minimumCalls = 3
            let breaker = CircuitBreaker(policy: policy)
            let servers = SimulatedServers(["https://a.example", "https://b.example"])
                .changing("https://b.example", to: .answers(500, after: .milliseconds(1)))
            let pipeline = try Pipeline<HTTP.Request>(
                transport: servers,
                runtime: simulation.runtime
            ) {
                LoadBalancingInterceptor(
                    LoadBalancer(
                        ["https://a.example", "https://b.example"],
                        policy: RoundRobinPolicy()
                    )
                )
                CircuitBreakerInterceptor(breaker)
            }
            for _ in 0..<8 { _ = try? await pipeline.run(.get("/x")) }
            return (
                breaker.status(of: "https://a.example"), breaker.status(of: "https://b.example")
            )
        }

        expectEqual(a.state, .closed)
        expectEqual(b.state, .open)
    }
}
