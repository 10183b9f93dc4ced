import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("TokenInterceptor, refreshing")
struct TokenRefreshTests {
    @Test("returns a second rejection after one refresh")
    func replayRejected() async throws {
        let (status, sends, refreshes) = try await onEverySeed { simulation in
            let service = TokenService()
            service.rejectAll()
            let client = try simulation.client(service.transport) { service.interceptor() }
            let status = try await client.send(.get(orders)).status
            return (status, service.transport.sent.count, service.refreshes)
        }

        expectEqual(status, 401)
        expectEqual(sends, 2)
        expectEqual(refreshes, 1)
    }

    @Test("frees a cancelled waiter at once, and refreshes for the others")
    func cancelledWaiter() async throws {
        try await onEverySeed { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            let client = try simulation.client(service.transport) { service.interceptor() }

            let first = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            let second = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            first.cancel()
            let cancelled = await first.result
            try #require(throws: CancellationError.self) { try cancelled.get() }
            gate.open()
            let status = try await second.value

            try requireEqual(status, 200)
            try requireEqual(service.refreshes, 1)
        }
    }

    @Test("waits for a refresh no longer than the call's deadline allows")
    func deadline() async throws {
        let elapsed = try await onEverySeed { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            let client = try simulation.client(service.transport, timeout: .seconds(2)) {
                service.interceptor()
            }
            do {
                _ = try await client.send(.get(orders))
            } catch is TokenError {
                // Expected: out of time.
            }
            let elapsed = simulation.now.offset
            gate.open()
            return elapsed
        }

        expectEqual(elapsed, .seconds(2))
    }

    @Test("throws after ten rejected credentials within a minute")
    func excess() async throws {
        let (codes, refreshes) = try await onEverySeed { simulation in
            let service = TokenService()
            service.rejectAll()
            let client = try simulation.client(service.transport) { service.interceptor() }
            var codes: [TokenError.Code?] = []
            for _ in 0..<12 {
                do {
                    _ = try await client.send(.get(orders))
                    codes.append(nil)
                } catch let error as TokenError {
                    codes.append(error.code)
                }
            }
            return (codes, service.refreshes)
        }

        expectEqual(
            codes,
            Array(repeating: nil, count: 10) + [.excessiveRefresh, .excessiveRefresh]
        )
        expectEqual(refreshes, 10)
    }

    @Test("refreshes again when a refresh was given up, and drops its late result")
    func abandoned() async throws {
        let (sent, statuses) = try await onEverySeed { simulation in
            let gate = Gate("first refresh")
            let refreshes = Recorder<String>()
            let source = RefreshableCredentialSource(initial: { .bearer("old") }) { _ in
                let number = refreshes.entries.count + 1
                refreshes.note("new \(number)")
                if number == 1 { try await gate.pass() }
                return .bearer("new \(number)")
            }
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                HTTP.Response(request.headers["Authorization"] == "Bearer new 2" ? 200 : 401)
            }
            let client = try simulation.client(transport) {
                TokenInterceptor(source: source, origins: ["https://api.example.com"])
            }
            _ = try? await client.send(.get(orders))
            try await simulation.runtime.sleep(for: .seconds(50))
            var statuses = [try await client.send(.get(orders)).status]
            gate.open()
            try await simulation.runtime.sleep(for: .seconds(1))
            statuses.append(try await client.send(.get(orders)).status)
            return (transport.sent.map { $0.input.headers["Authorization"] }, statuses)
        }

        expectEqual(sent, ["Bearer old", "Bearer old", "Bearer new 2", "Bearer new 2"])
        expectEqual(statuses, [200, 200])
    }

    @Test("fails a forced refresh at once if the refresh before it fails")
    func forcedAfterFailure() async throws {
        let (error, elapsed) = try await onEverySeed(0..<100) { simulation in
            let gate = Gate("refresh")
            let service = TokenService(refreshGate: gate)
            service.expire()
            service.failRefreshes(true)
            let tokens = service.interceptor()
            let client = try simulation.client(service.transport) { tokens }
            let call = Task.child(in: simulation) { try await client.send(.get(orders)).status }
            try await gate.waitForArrivals(1)
            let forced = Task.child(in: simulation) {
                try await tokens.refresh(runtime: simulation.runtime)
            }
            try await simulation.runtime.sleep(for: .seconds(1))
            gate.open()
            _ = await call.result
            let error = await #expect(throws: Problem.self) { try await forced.value }
            return (error?.text, simulation.now.offset)
        }

        expectEqual(error, "refresh failed")
        expectTrue(elapsed < .seconds(2))
    }

    @Test("reports a source's cancellation as an error, not as the caller's")
    func cancelledSource() async throws {
        let code = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response(401) }
            let client = try simulation.client(transport) {
                TokenInterceptor(
                    source: RefreshableCredentialSource { _ in throw CancellationError() },
                    origins: ["https://api.example.com"]
                )
            }
            do {
                _ = try await client.send(.get(orders))
                return TokenError.Code?.none
            } catch let error as TokenError {
                return error.code
            }
        }

        expectEqual(code, .refreshCancelled)
    }
}
