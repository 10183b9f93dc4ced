#if ServiceLifecycle
import Expectations
import InterceptorKit
import InterceptorKitServiceLifecycle
import InterceptorKitTesting
import Testing
import TestSupport

@Suite("RetrySwitch")
struct RetrySwitchTests {
    @Test("ends a call with the response it has, without another attempt")
    func failingAfter() async throws {
        let (outcome, sends, end) = try await onEverySeed { simulation in
            try await shutDown(in: simulation, failingAfter: .seconds(2))
        }

        expectEqual(outcome, "503 Service Unavailable")
        expectEqual(sends, 1)
        expectTrue(end < .milliseconds(2100))
    }

    @Test("stops a retry that waits already, with the attempts that were made")
    func waiting() async throws {
        let (outcome, sends) = try await onEverySeed { simulation in
            let (outcome, sends, _) = try await shutDown(in: simulation, failingAfter: .zero)
            return (outcome, sends)
        }

        // The second is the one that was not sent.
        expectEqual(outcome, "shuttingDown after 2 attempts")
        expectEqual(sends, 1)
    }

    @Test("sends no hedge beside an attempt under way, which still ends")
    func hedge() async throws {
        let (statuses, sends) = try await onEverySeed { simulation in
            let retries = RetrySwitch()
            var settings = StandardSettings<HTTP.Request>()
            settings.retry = nil
            settings.hedge = .standard
            settings.hedge?.delay = .fixed(.seconds(2))
            settings.stopRetries(with: retries)
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [
                    .status(200).delayed(by: .seconds(4)), .status(200).delayed(by: .seconds(4)),
                ]
            )
            let api = try HTTP.Client.standard(
                settings,
                transport: transport,
                runtime: simulation.runtime
            ) {
                RetrySwitchInterceptor(retries)
            }

            let status = try await running(ClientService(api, retries: retries)) { shutDown in
                async let response = api.send(.get(orders))
                try await simulation.runtime.sleep(for: .seconds(1))
                shutDown()
                return try await response.status
            }

            return (status, transport.sent.count)
        }

        expectEqual(statuses, 200)
        expectEqual(sends, 1)
    }

    @Test("lets a hedge that is refused decide nothing, even without its budget")
    func hedgeWithoutBudget() async throws {
        let (status, sends) = try await onEverySeed { simulation in
            let retries = RetrySwitch()
            var policy = HedgePolicy<HTTP.Request>.standard
            policy.delay = .fixed(.seconds(2))
            let transport = ScriptedTransport<HTTP.Request>(
                replies: [.status(200).delayed(by: .seconds(4))]
            )
            let api = try HTTP.Client(transport: transport, runtime: simulation.runtime) {
                HedgeInterceptor(policy: policy)
                RetrySwitchInterceptor(retries)
            }

            retries.turnOff()
            let status = try await api.send(.get(orders)).status
            return (status, transport.sent.count)
        }

        expectEqual(status, 200)
        expectEqual(sends, 1)
    }

    @Test("changes nothing until it is off")
    func on() async throws {
        let sends = try await onEverySeed { simulation in
            let retries = RetrySwitch()
            let (api, transport) = try retrying(
                retries,
                [.status(503), .status(503), .status(200)],
                simulation
            )

            let response = try await api.send(.get(orders))

            expectEqual(response.status, 200)
            return transport.sent.count
        }

        expectEqual(sends, 3)
    }

    @Test("is refused above the retry")
    func order() {
        #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: answers(after: .zero), timeout: nil) {
                RetrySwitchInterceptor(RetrySwitch())
                RetryInterceptor(policy: .standard)
            }
        }
    }

    /// A call whose first attempt fails after a time; the shutdown begins after a second, or while the retry waits.
    private func shutDown(
        in simulation: Simulation,
        failingAfter time: Duration
    ) async throws -> (outcome: String, sends: Int, end: Duration) {
        let retries = RetrySwitch()
        let (api, transport) = try retrying(
            retries,
            [.status(503).delayed(by: time), .status(200)],
            simulation
        )
        let outcome = try await running(ClientService(api, retries: retries)) { shutDown in
            async let response = api.send(.get(orders))
            // The wait is 200 ms at most.
            try await simulation.runtime.sleep(for: time / 2 + .nanoseconds(1))
            shutDown()
            do {
                let response = try await response
                return "\(response.status)"
            } catch let error as LimitError {
                return "\(error.code) after \(error.attempts.count) attempts"
            }
        }
        return (outcome, transport.sent.count, simulation.now.offset)
    }

    private func retrying(
        _ retries: RetrySwitch,
        _ steps: [ScriptStep<HTTP.Request>],
        _ simulation: Simulation
    ) throws -> (HTTP.Client, ScriptedTransport<HTTP.Request>) {
        var settings = HTTP.Client.Settings(baseURL: "https://api.example.com")
        settings.errorFilter = nil
        settings.strategies.retry?.backoff.jitter = .none
        settings.strategies.stopRetries(with: retries)
        settings.interceptors.append(RetrySwitchInterceptor(retries))
        let transport = ScriptedTransport<HTTP.Request>(replies: steps)
        let api = try HTTP.Client(settings, transport: transport, runtime: simulation.runtime)
        return (api, transport)
    }
}
#endif
