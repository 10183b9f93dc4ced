#if Configuration
import Expectations
import BoundedWaits
import Configuration
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitConfiguration
import InterceptorKitTesting
import Synchronization
import TestRun
import Testing
import TestSupport

@Suite("ReloadableClient")
struct ReloadableClientTests {
    @Test("fails no call and mixes no settings while they are replaced")
    func underLoad() async throws {
        try await onEverySeed(0..<(seedCount / 10)) { simulation in
            let provider = MutableInMemoryProvider(initialValues: ["appVersion": "0"])
            let sends = Lock<[Call.ID: [String]]>([:])
            let events = RecordingEventSink()
            let clients = try ReloadableClient(
                config: ConfigReader(provider: provider),
                defaults: versioned,
                transport: Server { request, call in
                    let version = request.url.version
                    let count = sends.withLock { sends in
                        sends[call.id, default: []].append(version)
                        return sends.count
                    }
                    try await call.runtime.sleep(
                        for: .milliseconds(Int(call.runtime.random() % 100))
                    )
                    return HTTP.Response(call.attempt == 1 && count.isMultiple(of: 5) ? 503 : 200)
                },
                runtime: simulation.runtime,
                events: events
            )

            let failures = await withTaskGroup(of: Int.self) { group in
                group.addTask {
                    try? await clients.run()
                    return 0
                }
                let failures = await withTaskGroup(of: Int.self) { callers in
                    for _ in 0..<10 {
                        callers.addTask {
                            var failures = 0
                            for _ in 0..<10 {
                                do { _ = try await clients.send(.get("/orders")) } catch {
                                    failures += 1
                                }
                            }
                            return failures
                        }
                    }
                    for version in 1...20 {
                        try? await simulation.runtime.sleep(for: .milliseconds(31))
                        provider.setText("\(version)", forKey: "appVersion")
                        // Every third one can't work, until the one after it.
                        provider.setValue(
                            version.isMultiple(of: 3) ? 99 : 3,
                            forKey: "retry.maxAttempts"
                        )
                    }
                    return await callers.reduce(0, +)
                }
                group.cancelAll()
                return failures
            }

            let versions = sends.withLock { $0 }
            try requireEqual(failures, 0)
            try requireEqual(versions.count, 100)
            try require(versions.values.allSatisfy { Set($0).count == 1 })
            try require(versions.values.contains { $0.count == 2 })
            try require(Set(versions.values.joined()).count > 5)
            try require(events.names.contains(.settingsReplaced))
            try require(events.names.contains(.settingsRefused))
        }
    }

    @Test("ends a call under the settings that it began with")
    func inFlight() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["appVersion": "1"])
        let gate = Gate()
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(503).held(at: gate), .status(200), .status(200),
        ])
        let clock = VirtualClock()
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: versioned,
            transport: transport,
            runtime: .virtual(clock: clock)
        )

        async let first = clients.send(.get("/orders"))
        try await gate.waitForArrivals(1)
        provider.setValue("2", forKey: "appVersion")
        let isChanged = try clients.reload()
        gate.open()
        // The wait for the second attempt, 200 ms at most.
        let isSentAgain = await eventually {
            clock.advance(by: .milliseconds(20))
            return transport.sent.count == 2
        }
        _ = try await (first, clients.send(.get("/orders")))

        expectTrue(isChanged && isSentAgain)
        expectEqual(transport.sent.map { $0.input.url.version }, ["1", "1", "2"])
    }

    @Test("refuses what can't work, says why, and keeps the settings")
    func refused() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["appVersion": "1"])
        let events = RecordingEventSink()
        let versions = Lock<[String]>([])
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: versioned,
            transport: Server { request, _ in
                versions.withLock { $0.append(request.url.version) }
                return HTTP.Response(200)
            },
            events: events
        )

        provider.setValue("2", forKey: "appVersion")
        provider.setValue(99, forKey: "retry.maxAttempts")
        let error = #expect(throws: ConfigurationError.self) { try clients.reload() }
        let refusal = clients.refusal
        _ = try await clients.send(.get("/orders"))
        provider.setValue(nil, forKey: "retry.maxAttempts")
        try clients.reload()
        _ = try await clients.send(.get("/orders"))

        expectEqual(error?.keys, ["retry.maxAttempts"])
        expectEqual(refusal?.keys, ["retry.maxAttempts"])
        expectTrue(clients.refusal == nil)
        expectEqual(versions.withLock { $0 }, ["1", "2"])
        let told = events.events.filter { $0.source == "ReloadableClient" }
        expectEqual(told.map(\.name), [.settingsRefused, .settingsReplaced])
        expectEqual(
            told.map { $0.attributes["keys"]?.description },
            ["retry.maxAttempts", "appVersion"]
        )
    }

    @Test("changes nothing for a configuration with the same values")
    func unchanged() throws {
        let provider = MutableInMemoryProvider(initialValues: ["breaker.isEnabled": true])
        let events = RecordingEventSink()
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: versioned,
            transport: fine,
            events: events
        )

        provider.setValue("ours to ignore", forKey: "another.program")
        let isChanged = try clients.reload()

        expectTrue(!isChanged)
        expectTrue(events.events.isEmpty)
    }

    @Test("keeps an open circuit unless the breaker's own numbers change")
    func breaker() async throws {
        let provider = MutableInMemoryProvider(initialValues: [
            "breaker.minimumCalls": 1, "retry.isEnabled": false, "adaptiveLimit.isEnabled": false,
        ])
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: versioned,
            transport: Server { _, _ in HTTP.Response(500) }
        )

        let failure = await failure(of: clients)
        provider.setValue(20, forKey: "totalTimeoutSeconds")
        try clients.reload()
        let afterOtherSetting = await self.failure(of: clients)
        provider.setValue(2, forKey: "breaker.minimumCalls")
        try clients.reload()
        let afterOwnSetting = await self.failure(of: clients)

        expectTrue(failure is ResponseError)
        expectTrue(afterOtherSetting is CircuitBreakerError)
        expectTrue(afterOwnSetting is ResponseError)
    }

    @Test("spends one retry budget under all settings")
    func budget() async throws {
        let provider = MutableInMemoryProvider(initialValues: [
            "retry.maxAttempts": 2, "retry.backoff.baseSeconds": 0,
            "adaptiveLimit.isEnabled": false,
        ])
        let sends = Atomic(0)
        var defaults = versioned
        defaults.strategies.retry = nil
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: defaults,
            transport: Server { _, _ in
                sends.add(1, ordering: .relaxed)
                return HTTP.Response(503)
            }
        )

        for version in 0..<20 {
            _ = await failure(of: clients)
            provider.setText("\(version)", forKey: "appVersion")
            try clients.reload()
        }

        // Twenty first attempts, and the three retries that the budget has at the beginning.
        expectEqual(sends.load(ordering: .relaxed), 23)
    }

    @Test("refreshes a token once for calls of earlier and later settings")
    func token() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["appVersion": "1"])
        let gate = Gate()
        let refreshes = Atomic(0)
        var defaults = versioned
        defaults.credentials = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
            refreshes.add(1, ordering: .relaxed)
            try await gate.pass()
            return .bearer("new")
        }
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: defaults,
            transport: Server { request, _ in
                let isNew = request.headers["Authorization"] == "Bearer new"
                return HTTP.Response(isNew ? 200 : 401)
            }
        )

        async let first = clients.send(.get("/orders"))
        try await gate.waitForArrivals(1)
        provider.setValue("2", forKey: "appVersion")
        try clients.reload()
        async let second = clients.send(.get("/orders"))
        let areBothUnderWay = await eventually { clients.openWork == 2 }
        gate.open()
        _ = try await (first, second)

        expectTrue(areBothUnderWay)
        expectEqual(refreshes.load(ordering: .relaxed), 1)
    }

    @Test("sends a token to no origin but that of the settings in use")
    func origins() async throws {
        let provider = MutableInMemoryProvider(initialValues: [
            "baseURL": "https://one.example.com"
        ])
        let seen = Lock<[String]>([])
        var defaults = versioned
        defaults.credentials = FixedCredentialSource(.bearer("t-1"))
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: defaults,
            transport: Server { request, _ in
                let hasToken = request.headers.contains("Authorization")
                seen.withLock { $0.append("\(request.url.host ?? "") \(hasToken)") }
                return HTTP.Response(200)
            }
        )

        _ = try await clients.send(.get("/orders"))
        provider.setValue("https://two.example.com", forKey: "baseURL")
        try clients.reload()
        _ = try await clients.send(.get("/orders"))
        _ = try await clients.send(.get("https://one.example.com/orders"))

        expectEqual(
            seen.withLock { $0 },
            ["one.example.com true", "two.example.com true", "one.example.com false"]
        )
    }

    @Test("cancels calls of earlier settings too")
    func cancelling() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["appVersion": "1"])
        let gate = Gate()
        let clients = try ReloadableClient(
            config: ConfigReader(provider: provider),
            defaults: versioned,
            transport: Server { _, _ in
                try await gate.pass()
                return HTTP.Response(200)
            }
        )

        async let first = failure(of: clients)
        try await gate.waitForArrivals(1)
        for version in 2...4 {
            provider.setText("\(version)", forKey: "appVersion")
            try clients.reload()
        }
        async let second = failure(of: clients)
        try await gate.waitForArrivals(2)
        let open = clients.openWork
        clients.cancelAll()
        let errors = await [first, second]

        expectEqual(open, 2)
        expectTrue(errors.allSatisfy { $0 is CancellationError })
        expectEqual(clients.openWork, 0)
    }

    @Test("shows no secret")
    func secrets() throws {
        let clients = try ReloadableClient(
            config: reader(["token": "k3y-Of-Orders", "deviceID": "k3y-Of-Orders"]),
            defaults: versioned,
            transport: fine
        )

        var dumped = ""
        dump(clients, to: &dumped)

        expectTrue(!"\(clients) \(dumped)".contains("k3y-Of-Orders"))
    }

    private func failure(of clients: ReloadableClient) async -> (any Error)? {
        do {
            _ = try await clients.send(.get("/orders"))
            return nil
        } catch {
            return error
        }
    }
}

private var versioned: HTTP.Client.Settings {
    HTTP.Client.Settings(baseURL: "https://api.example.com")
}

extension HTTP.URL {
    /// The common parameter that tells the settings of a request.
    fileprivate var version: String {
        queryParameters.first { $0.name == "app_version" }?.value ?? "none"
    }
}
#endif
