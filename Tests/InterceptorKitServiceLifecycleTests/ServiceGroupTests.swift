#if ServiceLifecycle
import Expectations
import BoundedWaits
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitServiceLifecycle
import InterceptorKitTesting
import Logging
import ServiceLifecycle
import TestRun
import Testing

@Suite("A service group", .tags(.sockets), .serializedAcrossSuites)
struct ServiceGroupTests {
    @Test("shuts a client down over real connections after what uses it")
    func shutdown() async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/slow" else { return .stalled }
            try? await gate.pass()
            return .text("done")
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let api = HTTP.Client(transport: transport, timeout: nil)
        let clock = VirtualClock()
        let isClosed = Box(false)
        let client = ClientService(
            api,
            gracePeriod: .seconds(20),
            runtime: .virtual(clock: clock)
        ) {
            transport.close()
            isClosed.value = true
        }
        let slow = server.url("/slow")
        let isRunning = Box(false)
        let user = ClosureService {
            isRunning.value = true
            try await gracefulShutdown()
            // A request that was accepted before still makes its calls.
            let response = try await api.send(.get(slow))
            try await expectEqual(response.text(), "done")
        }
        let group = ServiceGroup(
            services: [client, user],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )

        let hung = server.url("/hung")
        let outcome = try await within {
            async let ended: Void = group.run()
            async let response = api.send(.get(hung))
            try await server.waitForRequests(1)
            // A group that doesn't run yet would end without having run.
            _ = await eventually { isRunning.value }
            await group.triggerGracefulShutdown()
            try await gate.waitForArrivals(1)
            gate.open()
            try await clock.waitForSleepers(1)
            while !isClosed.value, clock.now.offset < .seconds(40) {
                clock.advance(by: .milliseconds(20))
                await Task.yield()
            }
            do {
                _ = try await response
                return "none"
            } catch {
                try await ended
                return "\(type(of: error))"
            }
        }

        expectEqual(outcome, "CancellationError")
        expectTrue(clock.now.offset >= .seconds(20))
        await #expect(throws: TransportError.self) { try await api.send(.get(slow)) }
    }
}
#endif
