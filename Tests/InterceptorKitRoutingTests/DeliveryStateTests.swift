import EngineScenarios
import Expectations
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitRouting

@Suite("DeliveryState", .processorBound)
struct DeliveryStateTests {
    typealias State = DeliveryState<Int>

    @Test(
        "has its row's effects after a sequence of events",
        arguments: [
            // Begun once, though the task is resumed twice.
            ([.entered, .entered], ["begin"]),
            ([.entered, .produced([1], isLast: false)], ["begin", "call"]),
            (
                [.entered, .produced([1], isLast: false), .calledQueue, .entered],
                ["begin", "call", "deliver 1", "acknowledge"]
            ),
            // One that is not the last goes with anyone who comes first.
            (
                [.entered, .produced([1], isLast: false), .entered],
                ["begin", "call", "deliver 1", "acknowledge"]
            ),
            // The last waits until the call has returned, and is called for again if that was missed.
            ([.entered, .produced([1], isLast: true), .entered], ["begin", "call"]),
            (
                [.entered, .produced([1], isLast: true), .entered, .calledQueue],
                ["begin", "call", "drain"]
            ),
            (
                [.entered, .produced([1], isLast: true), .entered, .calledQueue, .drainedQueue],
                ["begin", "call", "drain", "call"]
            ),
            (
                [.entered, .produced([1], isLast: true), .calledQueue, .entered],
                ["begin", "call", "deliver 1", "acknowledge", "end"]
            ),
            // What comes while a call is under way may have missed it.
            (
                [
                    .entered, .produced([1], isLast: false), .entered, .produced([2], isLast: true),
                    .calledQueue, .drainedQueue,
                ],
                ["begin", "call", "deliver 1", "acknowledge", "drain", "call"]
            ),
            // A suspended task is not resumed for its owner.
            ([.entered, .suspended, .produced([1], isLast: true)], ["begin"]),
            (
                [.entered, .suspended, .produced([1], isLast: true), .entered],
                ["begin", "deliver 1", "acknowledge", "end"]
            ),
            // Nothing after the end, and nobody left waiting.
            ([.cancelled, .entered], ["end"]),
            ([.entered, .cancelled, .cancelled], ["begin", "end"]),
            (
                [.entered, .produced([1], isLast: false), .cancelled, .calledQueue, .entered],
                ["begin", "call", "acknowledge", "end"]
            ),
            (
                [.entered, .cancelled, .produced([1], isLast: false)],
                ["begin", "end", "acknowledge"]
            ),
        ] as [([State.Event], [String])]
    )
    func table(events: [State.Event], expected: [String]) {
        var state = State()

        let actions = events.flatMap { state.handle($0) }

        expectEqual(actions.map(name), expected)
    }

    @Test("follows Foundation's rules in every order of events", arguments: [1, 2, 3])
    func exploration(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var problems: [[String]] = []
        var endings: Set<String> = []

        for _ in 0..<20_000 {
            var session = SessionModel()
            for _ in 0..<60 { session.step(random.next(below: 100)) }
            session.finish()
            if !session.problems.isEmpty { problems.append(session.problems) }
            endings.insert(session.ending)
        }

        expectEqual(problems.prefix(3), [])
        expectEqual(endings, ["delivered", "cancelled"])
    }
}

private func name(_ action: DeliveryState<Int>.Action) -> String {
    switch action {
    case .begin: "begin"
    case .callQueue: "call"
    case .drainQueue: "drain"
    case .deliver(let deliveries): "deliver \(deliveries.map(String.init).joined(separator: " "))"
    case .acknowledge: "acknowledge"
    case .end: "end"
    }
}
