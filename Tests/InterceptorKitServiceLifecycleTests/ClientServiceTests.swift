#if ServiceLifecycle
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitServiceLifecycle
import InterceptorKitTesting
import Synchronization
import Testing
import TestSupport

@Suite("ClientService")
struct ClientServiceTests {
    @Test("lets calls under way end, and closes after the last")
    func grace() async throws {
        let (statuses, isClosedInTime, names) = try await onEverySeed { simulation in
            let closed = Box<Duration?>(nil)
            let events = RecordingEventSink()
            let api = HTTP.Client(
                transport: answers(after: .seconds(5)),
                runtime: simulation.runtime
            )
            let service = ClientService(api, gracePeriod: .seconds(9), events: events) {
                closed.value = simulation.now.offset
            }

            let statuses = try await running(service) { shutDown in
                async let first = api.send(.get(orders)).status
                try await simulation.runtime.sleep(for: .seconds(1))
                shutDown()
                try await simulation.runtime.sleep(for: .seconds(2))
                async let second = api.send(.get(orders)).status
                return try await [first, second]
            }

            let isInTime = closed.value.map { $0 >= .seconds(8) && $0 < .milliseconds(8100) }
            expectEqual(events.events.last?.attributes["cancelled"], .number(0))
            return (statuses, isInTime, events.names)
        }

        expectEqual(statuses, [200, 200])
        expectEqual(isClosedInTime, true)
        expectEqual(names, [.shutdownBegan, .shutdownEnded])
    }

    @Test("cancels a call that hangs when the grace period is over")
    func hanging() async throws {
        let (error, cancelledAt, cancelled) = try await onEverySeed { simulation in
            let events = RecordingEventSink()
            let api = HTTP.Client(
                transport: answers(after: .seconds(1000)),
                timeout: nil,
                runtime: simulation.runtime
            )
            let service = ClientService(api, gracePeriod: .seconds(9), events: events)

            let error = try await running(service) { shutDown in
                async let response = api.send(.get(orders))
                try await simulation.runtime.sleep(for: .seconds(1))
                shutDown()
                do {
                    _ = try await response
                    return "none"
                } catch {
                    return "\(type(of: error))"
                }
            }

            let cancelled = events.events.last?.attributes["cancelled"]
            return (error, simulation.now.offset, cancelled?.description)
        }

        expectEqual(error, "CancellationError")
        expectEqual(cancelledAt, .seconds(10))
        expectEqual(cancelled, "1")
    }

    @Test("waits for a body that is being read")
    func body() async throws {
        let isClosedInTime = try await onEverySeed { simulation in
            let source = AsyncStream<Data>.makeStream()
            let api = HTTP.Client(
                transport: Server { _, _ in
                    HTTP.Response(200, body: .oneShot(source.stream))
                },
                runtime: simulation.runtime
            )

            let text = try await running(ClientService(api)) { shutDown in
                let response = try await api.send(.get(orders))
                source.continuation.yield(Data("first,".utf8))
                shutDown()
                async let text = response.text()
                try await simulation.runtime.sleep(for: .seconds(3))
                source.continuation.yield(Data("last".utf8))
                source.continuation.finish()
                return try await text
            }

            expectEqual(text, "first,last")
            return simulation.now.offset >= .seconds(3)
                && simulation.now.offset < .milliseconds(3100)
        }

        expectTrue(isClosedInTime)
    }

    @Test("waits for a body whose response nobody holds")
    func bodyAlone() async throws {
        let isClosedInTime = try await onEverySeed { simulation in
            let source = AsyncStream<Data>.makeStream()
            let api = HTTP.Client(
                transport: Server { _, _ in
                    HTTP.Response(200, body: .oneShot(source.stream))
                },
                runtime: simulation.runtime
            )

            let count = try await running(ClientService(api)) { shutDown in
                async let count = chunks(api)
                source.continuation.yield(Data("first,".utf8))
                try await simulation.runtime.sleep(for: .seconds(1))
                shutDown()
                try await simulation.runtime.sleep(for: .seconds(3))
                source.continuation.yield(Data("last".utf8))
                source.continuation.finish()
                return try await count
            }

            expectEqual(count, 2)
            return simulation.now.offset >= .seconds(4)
                && simulation.now.offset < .milliseconds(4100)
        }

        expectTrue(isClosedInTime)
    }

    @Test("cancels at once if its own task is cancelled")
    func cancelled() async throws {
        let (error, end) = try await onEverySeed { simulation in
            let isClosed = Box(false)
            let api = HTTP.Client(
                transport: answers(after: .seconds(1000)),
                runtime: simulation.runtime
            )
            let service = ClientService(api) { isClosed.value = true }

            let error = try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask {
                    try await service.run()
                    return "closed \(isClosed.value)"
                }
                async let response = api.send(.get(orders))
                try await simulation.runtime.sleep(for: .seconds(1))
                group.cancelAll()
                let end = try await group.next()
                do {
                    _ = try await response
                    return "\(end ?? ""), none"
                } catch {
                    return "\(end ?? ""), \(type(of: error))"
                }
            }

            return (error, simulation.now.offset)
        }

        expectEqual(error, "closed true, CancellationError")
        expectEqual(end, .seconds(1))
    }

    @Test("refuses a grace period that isn't one")
    func invalid() async throws {
        let service = ClientService(
            openWork: { 0 },
            cancelAll: {},
            gracePeriod: .seconds(-1)
        )

        await #expect(throws: SettingError.self) { try await service.run() }
    }

    private func chunks(_ api: HTTP.Client) async throws -> Int {
        var count = 0
        for try await _ in try await api.send(.get(orders)).body { count += 1 }
        return count
    }
}
#endif
