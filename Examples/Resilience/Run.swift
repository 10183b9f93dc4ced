import InterceptorKit
import InterceptorKitTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One strategy under load while the backend browns out, in virtual time.
struct Run: Sendable {
    /// What every strategy is put through.
    struct Conditions: Sendable {
        /// How long calls are made.
        var length: Duration = .seconds(90)
        /// Calls a second, spread at random.
        var rate = 40.0
        var backend = Backend.Settings()
        /// Decides chance and interleaving, so that a run can be repeated.
        var seed: UInt64 = 1
    }

    let strategy: Strategy
    let record: Record
    /// The chain as people draw it.
    let descriptor: String

    init(_ strategy: Strategy, under conditions: Conditions = Conditions()) throws {
        let seed = conditions.seed
        let (events, descriptor) = try Simulation.run(seed: seed, stepLimit: .max) { simulation in
            let load = try Load(strategy, conditions, simulation.runtime)
            return (try await load.run(), load.pipeline.description)
        }
        self.strategy = strategy
        self.descriptor = descriptor
        record = Record(events, length: conditions.length)
    }

    /// The run in one line.
    var line: String {
        let share = Int((record.availability * 100).rounded())
        return "\(strategy.name): \(share) % of \(record.offered) calls succeeded, "
            + "\(record.sends) sends"
    }
}

/// Makes the calls of a run and notes what happens.
private struct Load {
    private let conditions: Run.Conditions
    private let runtime: Runtime
    private let sink = RecordingEventSink()
    let pipeline: Pipeline<HTTP.Request>
    private let budget: RetryBudget?

    init(_ strategy: Strategy, _ conditions: Run.Conditions, _ runtime: Runtime) throws {
        self.conditions = conditions
        self.runtime = runtime
        let parts = try strategy.make()
        pipeline = try Pipeline(
            parts.interceptors,
            transport: Backend(conditions.backend),
            runtime: runtime,
            events: sink
        )
        budget = parts.budget
    }

    func run() async throws -> [Event] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sampleBudget() }
            // Of its own, so that every strategy is given the same calls at the same times.
            var chance = SeededGenerator(seed: conditions.seed)
            var number = 0
            while runtime.now.offset < conditions.length {
                group.addTask { [number] in await call(number) }
                number += 1
                // Callers that know nothing of each other: the gaps between them are exponential.
                let fraction = Double(chance.next() >> 11) * 0x1p-53
                let gap = -log(1 - fraction) / conditions.rate
                try await runtime.sleep(for: .seconds(gap))
            }
            try await group.waitForAll()
        }
        return sink.events
    }

    private func call(_ number: Int) async {
        let call = Call(runtime: runtime, events: sink)
        let started = runtime.now
        call.emit(.callOffered, from: "Load")
        let response = try? await pipeline.run(.get("https://backend.example/"), call: call)
        let took = Event.Value.duration(started.duration(to: runtime.now))
        var facts: Event.Attributes = ["number": .number(number)]
        if response?.status == 200 { facts["success"] = took }
        call.emit(.callCounted, from: "Load", facts)
    }

    private func sampleBudget() async throws {
        guard let budget else { return }
        let observer = Call(runtime: runtime, events: sink)
        while runtime.now.offset < conditions.length {
            let hundredths = Int(budget.tokens(of: "https://backend.example") * 100)
            observer.emit(.budgetSampled, from: "Load", ["hundredths": .number(hundredths)])
            try await runtime.sleep(for: .milliseconds(500))
        }
    }
}
