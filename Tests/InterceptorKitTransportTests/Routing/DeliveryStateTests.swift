import Testing

@testable import InterceptorKitTransport

@Suite("DeliveryState")
struct DeliveryStateTests {
    typealias State = DeliveryState<Int>

    @Test(
        "decides by what came before",
        arguments: [
            // Begun once, though the task is resumed twice.
            ([.entered, .entered], ["begin"]),
            ([.entered, .produced([1], isLast: false)], ["begin", "call"]),
            (
                [.entered, .produced([1], isLast: false), .calledQueue, .entered],
                ["begin", "call", "deliver 1", "acknowledge"]
            ),
            // One that is not the last goes with whoever comes first.
            (
                [.entered, .produced([1], isLast: false), .entered],
                ["begin", "call", "deliver 1", "acknowledge"]
            ),
            // The last waits until the call has returned, and is called for anew if that was missed.
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

        #expect(actions.map(name) == expected)
    }

    @Test("keeps Foundation's rules in every order of events", arguments: [1, 2, 3])
    func exploration(seed: UInt64) {
        var random = TestRandom(seed: seed)
        var problems: [[String]] = []
        var endings: Set<String> = []

        for _ in 0..<20_000 {
            var session = SessionModel()
            for _ in 0..<60 { session.step(random.next(below: 9)) }
            session.finish()
            if !session.problems.isEmpty { problems.append(session.problems) }
            endings.insert(session.ending)
        }

        #expect(problems.prefix(3) == [])
        #expect(endings == ["delivered", "cancelled"])
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

/// Plays the session and its user, the producer and the caller, as Foundation on Linux would have them.
private struct SessionModel {
    private enum Work: Equatable {
        case start, stop, cancel
    }

    private var state = DeliveryState<Int>()
    // The task as Foundation has it.
    private var suspendCount = 1
    private var isCanceling = false
    private var queue: [Work] = []
    // Under way outside the queue: a call before or after its resume(), a wait for the queue.
    private var call: Bool?
    private var draining: [Int] = []
    private var begins = 0
    private var ends = 0
    private var produced = 0
    private var isWaiting = false
    private var delivered: [Int] = []
    private var cancels = 0
    private(set) var problems: [String] = []

    private let last = 3

    var ending: String { delivered.last == last ? "delivered" : "cancelled" }

    mutating func step(_ choice: Int) {
        switch choice {
        case 0: resume()
        case 1 where suspendCount == 0 && !isCanceling && delivered.last != last:
            suspendCount += 1
            queue.append(.stop)
        case 2 where begins > 0 && cancels == 0 && produced % 7 == 3:
            cancel()
        case 3, 4: runQueue()
        case 5 where begins > 0 && !isWaiting && ends == 0 && produced < last:
            produced += 1
            isWaiting = true
            handle(.produced([produced], isLast: produced == last))
        case 6 where call == false:
            // What the caller looks at before it resumes.
            if suspendCount == 0 { resume(isOurs: true) }
            call = true
        case 7 where call == true:
            call = nil
            handle(.calledQueue)
        case 8 where draining.first == 0:
            draining.removeFirst()
            handle(.drainedQueue)
        default: break
        }
    }

    /// What is bound to come, comes: the user resumes, and everyone does their part.
    mutating func finish() {
        for _ in 0..<400 where ends == 0 {
            if suspendCount > 0 { resume() }
            for choice in [6, 7, 4, 8, 5] { step(choice) }
        }
        for _ in 0..<20 { for choice in [6, 7, 4, 8] { step(choice) } }
        if begins > 1 { problems.append("begun \(begins) times") }
        if ends != 1 { problems.append("ended \(ends) times") }
        if isWaiting { problems.append("the producer waits for ever") }
        if delivered != Array(1...last).prefix(delivered.count).map({ $0 }) {
            problems.append("delivered \(delivered)")
        }
        if cancels == 0, delivered.count != last { problems.append("delivered only \(delivered)") }
    }

    private mutating func resume(isOurs: Bool = false) {
        if isCanceling { return }
        if delivered.last == last {
            // The user's own second resume() is Foundation's matter; ours would end the process.
            if isOurs { problems.append("resumed after the last delivery") }
            return
        }
        if suspendCount > 0 { suspendCount -= 1 }
        if suspendCount == 0 { queue.append(.start) }
    }

    private mutating func cancel() {
        cancels += 1
        if delivered.last == last { return }
        isCanceling = true
        queue.append(.cancel)
    }

    private mutating func runQueue() {
        if queue.isEmpty { return }
        draining = draining.map { max(0, $0 - 1) }
        switch queue.removeFirst() {
        case .start where isCanceling: break
        case .start: handle(.entered)
        case .stop: handle(isCanceling ? .cancelled : .suspended)
        case .cancel: handle(.cancelled)
        }
    }

    private mutating func handle(_ event: DeliveryState<Int>.Event) {
        for action in state.handle(event) {
            switch action {
            case .begin: begins += 1
            case .callQueue:
                if call != nil { problems.append("called for the queue twice at once") }
                call = false
            case .drainQueue: draining.append(queue.count)
            case .deliver(let deliveries):
                if isCanceling { problems.append("delivered after the task was cancelled") }
                delivered += deliveries
            case .acknowledge:
                if !isWaiting { problems.append("acknowledged without need") }
                isWaiting = false
            case .end: ends += 1
            }
        }
    }
}
