import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

/// Passages that share a frame of the chain, which is what tells their activities apart.
@Suite("Observed passages")
struct ObservedPassageTests {
    private static func outline(
        _ interceptors: [any Interceptor<Int>],
        transport: Echo<Int> = Echo()
    ) async throws -> [String] {
        let sink = RecordingEventSink()
        _ = try await Pipeline(interceptors, transport: transport, events: sink).run(1)
        #expect(unmatchedActivities(sink.events) == [])
        return activityOutline(sink.events)
    }

    private static func named(_ name: String) -> any Interceptor<Int> {
        AnyInterceptor<Int>(name) { try await $0.proceed() }
    }

    @Test("one after the other are told apart")
    func repeated() async throws {
        let twice = AnyInterceptor<Int>("twice") { chain in
            _ = try await chain.proceed()
            return try await chain.proceed()
        }

        let outline = try await Self.outline([twice, Self.named("a"), Self.named("b")])

        let below = ["    interceptor a", "      interceptor b", "        transport Echo"]
        #expect(outline == ["call call", "  interceptor twice"] + below + below)
    }

    @Test("side by side are told apart")
    func parallel() async throws {
        let race = AnyInterceptor<Int>("race") { chain in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await chain.proceed() } }
                return try await group.reduce(0, +)
            }
        }
        let sink = RecordingEventSink()

        _ = try await Pipeline(
            [race, Self.named("a"), Self.named("b")],
            transport: Echo<Int>(),
            events: sink
        ).run(1)

        #expect(unmatchedActivities(sink.events) == [])
        let activities = sink.events.filter { $0.phase == .began }.compactMap(\.activity)
        let outer = Set(activities.filter { $0.name == "a" }.map(\.id))
        #expect(outer.count == 8)
        #expect(Set(activities.filter { $0.name == "b" }.map(\.parent)) == Set(outer.map { $0 }))
    }

    @Test("past members that a condition lets through only once are told apart")
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

        let outline = try await Self.outline([twice, once, Self.named("last")])

        #expect(
            outline == [
                "call call", "  interceptor twice",
                "    interceptor member", "      interceptor last", "        transport Echo",
                "    interceptor last", "      transport Echo",
            ]
        )
    }

    @Test("nest through more stages than a frame can tell apart")
    func deep() async throws {
        let outline = try await Self.outline((0..<150).map { Self.named("\($0)") })

        let stages = (0..<150).map { String(repeating: "  ", count: $0 + 1) + "interceptor \($0)" }
        let transport = String(repeating: "  ", count: 151) + "transport Echo"
        #expect(outline == ["call call"] + stages + [transport])
    }

    @Test("are attempts if the number says so")
    func attempts() async throws {
        let again = AnyInterceptor<Int>("again") { chain in
            _ = try await chain.proceed()
            return try await chain.proceed(chain.input, call: chain.call.attempt(2))
        }

        let outline = try await Self.outline([again, Self.named("a")])

        #expect(
            outline == [
                "call call", "  interceptor again",
                "    interceptor a", "      transport Echo",
                "    attempt attempt 2", "      interceptor a", "        transport Echo",
            ]
        )
    }

    @Test("show a moment in the stage that reports it, also after it went on")
    func moments() async throws {
        let sink = RecordingEventSink()
        let telling = (0..<3).map { number in
            AnyInterceptor<Int>("\(number)") { chain in
                chain.call.emit("before", from: "\(number)")
                defer { chain.call.emit("after", from: "\(number)") }
                return try await chain.proceed(chain.input + number % 2)
            }
        }
        let transport = Echo<Int> { input, call in
            call.emit("sent", from: "Echo")
            return input
        }

        _ = try await Pipeline(telling, transport: transport, events: sink).run(1)

        let moments = sink.events.filter { $0.phase == .moment }
        #expect(moments.count == 7)
        #expect(moments.allSatisfy { $0.activity?.name == $0.source })
    }
}
