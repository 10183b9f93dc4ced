import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

/// Passes that share a frame of the chain, which is what tells their activities apart.
@Suite("ObservedFrame")
struct ObservedFrameTests {
    @Test("tells passes one after the other apart")
    func repeated() async throws {
        let twice = AnyInterceptor<Int>("twice") { chain in
            _ = try await chain.proceed()
            return try await chain.proceed()
        }

        let descriptor = try await ObservedRun.descriptor([
            twice, ObservedRun.named("a"), ObservedRun.named("b"),
        ])

        let below = ["    interceptor a", "      interceptor b", "        transport Echo"]
        expectEqual(descriptor, ["call call", "  interceptor twice"] + below + below)
    }

    @Test("tells passes side by side apart")
    func parallel() async throws {
        let race = AnyInterceptor<Int>("race") { chain in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await chain.proceed() } }
                return try await group.reduce(0, +)
            }
        }
        let sink = RecordingEventSink()

        _ = try await Pipeline(
            [race, ObservedRun.named("a"), ObservedRun.named("b")],
            transport: Echo<Int>(),
            events: sink
        ).run(1)

        expectEqual(unmatchedActivities(sink.events), [])
        let activities = sink.events.filter { $0.phase == .began }.compactMap(\.activity)
        let outer = Set(activities.filter { $0.name == "a" }.map(\.id))
        expectEqual(outer.count, 8)
        expectEqual(Set(activities.filter { $0.name == "b" }.map(\.parent)), Set(outer.map { $0 }))
    }

    @Test("tells passes past members that a condition skips apart")
    func condition() async throws {
        let isFirst = Lock(true)
        let isLetThrough: InterceptorGroup<Int>.Condition = { _, _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
        }
        let once = CompositeInterceptor<Int>(when: isLetThrough) {
            AnyInterceptor<Int>("member") { try await $0.proceed() }
        }
        let twice = AnyInterceptor<Int>("twice") { chain in
            _ = try await chain.proceed()
            return try await chain.proceed()
        }

        let descriptor = try await ObservedRun.descriptor([twice, once, ObservedRun.named("last")])

        expectEqual(
            descriptor,
            [
                "call call", "  interceptor twice",
                "    interceptor member", "      interceptor last", "        transport Echo",
                "    interceptor last", "      transport Echo",
            ]
        )
    }

    @Test("nests through more stages than a frame can tell apart")
    func deep() async throws {
        let descriptor = try await ObservedRun.descriptor(
            (0..<150).map { ObservedRun.named("\($0)") }
        )

        let stages = (0..<150).map { String(repeating: "  ", count: $0 + 1) + "interceptor \($0)" }
        let transport = String(repeating: "  ", count: 151) + "transport Echo"
        expectEqual(descriptor, ["call call"] + stages + [transport])
    }
}
