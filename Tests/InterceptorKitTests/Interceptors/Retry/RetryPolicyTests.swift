import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("RetryPolicy")
struct RetryPolicyTests {
    @Test("has three presets, for HTTP and for any other input")
    func presets() {
        #expect(RetryPolicy<Int>.standard.maxAttempts == 3)
        #expect(RetryPolicy<Int>.conservative.maxAttempts == 2)
        #expect(RetryPolicy<Int>.aggressive.maxAttempts == 5)
        #expect(RetryPolicy<HTTP.Request>.conservative.maxAttempts == 2)
        #expect(RetryPolicy<HTTP.Request>.aggressive.maxAttempts == 5)
    }

    @Test("judges HTTP by status in every preset, and sends a POST once", arguments: [0, 1, 2])
    func presetsForHTTP(index: Int) async throws {
        let presets: [RetryPolicy<HTTP.Request>] = [.standard, .conservative, .aggressive]
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 9)

        let get = try RetryRun.once(steps, .get(orders), presets[index], seed: 0)
        let post = try RetryRun.once(steps, .post(orders), presets[index], seed: 0)

        #expect(get.sent.count == [3, 2, 5][index])
        #expect(post.sent.count == 1)
    }

    @Test("retries any method with the idempotent preset")
    func idempotentPreset() throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(201)]

        let run = try RetryRun.once(steps, .post(orders, body: "x"), .idempotent, seed: 0)

        #expect(try run.result.get().status == 201)
    }

    @Test(
        "obeys a call's isIdempotent for any method",
        arguments: [("POST", true, 3), ("POST", nil, 1), ("GET", false, 1), ("GET", nil, 3)]
    )
    func tag(method: String, isIdempotent: Bool?, sends: Int) throws {
        let count = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(503) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            let request = HTTP.Request(HTTP.Method(rawValue: method), orders)
            _ = try await client.send(request) { $0.isIdempotent = isIdempotent }
            return transport.sent.count
        }

        #expect(count == sends)
    }

    @Test("obeys a call's isIdempotent for inputs that are not HTTP")
    func genericTag() async throws {
        let sends = Recorder<Int>()
        let transport = Echo<Int> { input, _ in
            sends.note(input)
            throw Problem()
        }
        let pipeline = try Pipeline(transport: transport) { RetryInterceptor(policy: .immediate) }
        var call = Call()
        call.isIdempotent = false

        await #expect(throws: Problem.self) { try await pipeline.run(1, call: call) }

        #expect(sends.entries == [1])
    }

    @Test("lets a call have its own policy, and keeps that of other calls")
    func anotherPolicy() throws {
        let sends = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(404) }
            let client = try simulation.client(transport) { RetryInterceptor(policy: .steady) }
            var policy = RetryPolicy<HTTP.Request>(
                classifier: OutcomeClassifier { _ in .transient("always") }
            )
            policy.maxAttempts = 4
            _ = try await client.send(.get(orders)) { [policy] in try $0.useRetryPolicy(policy) }
            let first = transport.sent.count
            _ = try await client.send(.get(orders))
            return [first, transport.sent.count]
        }

        #expect(sends == [4, 5])
    }

    @Test("refuses a call's invalid policy before anything is sent")
    func invalidPolicyOfCall() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])
        let client = try HTTP.Client(transport: transport) { RetryInterceptor(policy: .steady) }
        var policy = RetryPolicy<HTTP.Request>.standard
        policy.maxAttempts = 0

        await #expect(throws: SettingError.self) {
            try await client.send(.get(orders)) { try $0.useRetryPolicy(policy) }
        }

        #expect(transport.sent.isEmpty)
    }

    @Test("limits a call to five attempts unless many are allowed")
    func largeCallLimit() throws {
        let steps = Array(repeating: ScriptStep<HTTP.Request>.status(503), count: 20)
        func sends(_ policy: RetryPolicy<HTTP.Request>) throws -> Int {
            try Simulation.run { simulation in
                let transport = ScriptedTransport(replies: steps)
                let client = try simulation.client(transport) { RetryInterceptor(policy: policy) }
                _ = try await client.send(.get(orders)) { $0.retryLimit = 9 }
                return transport.sent.count
            }
        }
        var many = RetryPolicy<HTTP.Request>.steady
        many.allowsManyAttempts = true

        #expect(try sends(.steady) == 5)
        #expect(try sends(many) == 9)
    }

    @Test("refuses invalid numbers, each with an explanation")
    func validation() {
        let changes: [@Sendable (inout RetryPolicy<Int>) -> Void] = [
            { $0.maxAttempts = 0 }, { $0.maxAttempts = .min }, { $0.maxAttempts = 6 },
            { $0.backoff.base = .seconds(-1) }, { $0.throttledBackoff.cap = .seconds(-1) },
            { $0.backoff.growth = .nan }, { $0.backoff.growth = 0.9 },
            { $0.backoff.growth = .infinity }, { $0.backoff.jitter = .within(-0.1...1) },
            { $0.throttledBackoff.jitter = .within(0...Double.infinity) },
            { $0.maxRetryAfter = .seconds(-1) },
        ]

        for change in changes {
            var policy = RetryPolicy<Int>.standard
            change(&policy)

            let error = #expect(throws: SettingError.self) {
                try policy.validate()
            }
            #expect(error?.description.hasSuffix(".") == true)
        }
    }

    @Test("accepts every number up to its bounds")
    func bounds() throws {
        let changes: [@Sendable (inout RetryPolicy<Int>) -> Void] = [
            { $0.maxAttempts = 1 }, { $0.maxAttempts = 5 },
            { ($0.maxAttempts, $0.allowsManyAttempts) = (6, true) },
            { $0.backoff.base = .zero }, { $0.backoff.cap = .zero }, { $0.backoff.growth = 1 },
            { $0.backoff.jitter = .within(0...100) }, { $0.maxRetryAfter = .zero },
        ]

        for change in changes {
            var policy = RetryPolicy<Int>.standard
            change(&policy)

            try policy.validate()
        }
    }

    @Test("accepts more than five attempts if they are allowed explicitly")
    func manyAttempts() throws {
        var policy = RetryPolicy<Int>.standard
        policy.maxAttempts = .max
        policy.allowsManyAttempts = true

        try policy.validate()
    }

    @Test("marks retries with their number, if told to")
    func marking() async throws {
        let steps: [ScriptStep<HTTP.Request>] = [.status(503), .status(503), .status(200)]

        let plain = try await RetryRun.of(steps)
        let marked = try await RetryRun.of(steps, policy: RetryPolicy.steady.markingRetries())
        let named = try await RetryRun.of(
            steps,
            policy: RetryPolicy.steady.markingRetries(with: "X-Try")
        )

        #expect(plain.sent.allSatisfy { !$0.headers.contains("Retry-Attempt") })
        #expect(marked.sent.map { $0.headers["Retry-Attempt"] } == [nil, "1", "2"])
        #expect(named.sent.map { $0.headers["X-Try"] } == [nil, "1", "2"])
    }

    @Test("prepares each attempt from the original input")
    func prepare() async throws {
        var policy = RetryPolicy<HTTP.Request>.steady
        policy.prepare = { request, call in
            request.url = "\(orders)?tried=\(call.attempt - 1)"
        }

        let run = try await RetryRun.of([.status(503), .status(503), .status(200)], policy: policy)

        #expect(run.sent.map(\.url.query) == [nil, "tried=1", "tried=2"])
    }
}
