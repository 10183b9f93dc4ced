import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("Criticality")
struct CriticalityTests {
    @Test("is normal unless a call says otherwise, and is ordered")
    func order() {
        var call = Call()
        expectEqual(call.criticality, .normal)

        call.criticality = .critical

        expectTrue(call.criticality > .normal)
        expectTrue(Criticality.sheddable < .normal)
    }

    @Test("decides which of the waiting calls goes first, and which gives way")
    func queue() async throws {
        let outcome = try await onEverySeed(0..<50) { simulation in
            let gate = Gate()
            let transport = ScriptedTransport<HTTP.Request>(replies: [
                .status(200).held(at: gate), .status(200), .status(200),
            ])
            var settings = AdaptiveConcurrencyLimit()
            settings.initial = 1
            settings.queueLimit = 2
            let limit = AdaptiveConcurrencyLimitInterceptor<HTTP.Request>(settings)
            let client = try simulation.client(transport) { limit }
            let rejected = Recorder<String>()
            let kinds: [(String, Criticality)] = [
                ("first", .normal), ("sheddable", .sheddable), ("normal", .normal),
                ("critical", .critical),
            ]
            let tasks = try await kinds.asyncMap { name, criticality in
                let task = Task.child(in: simulation) {
                    do {
                        let request = HTTP.Request.get("https://api.example.com/\(name)")
                        _ = try await client.send(request) { $0.criticality = criticality }
                    } catch is LimitError {
                        rejected.note(name)
                    }
                }
                try await simulation.runtime.sleep(for: .milliseconds(10))
                return task
            }
            gate.open()
            for task in tasks { try await task.value }
            return (rejected.entries, transport.sent.map(\.input.url.path))
        }

        expectEqual(outcome.0, ["sheddable"])
        expectEqual(outcome.1, ["/first", "/critical", "/normal"])
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
