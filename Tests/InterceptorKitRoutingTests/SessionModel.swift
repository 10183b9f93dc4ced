@testable import InterceptorKitRouting

/// Plays the session and its user, the producer and the caller, as Foundation on Linux would have them.
struct SessionModel {
    private enum Work: Equatable {
        case start, stop, cancel
    }

    private enum Call {
        case begun, looked, returned
    }

    private var state = DeliveryState<Int>()
    // The task as Foundation has it.
    private var suspendCount = 1
    private var isCanceling = false
    private var queue: [Work] = []
    // Under way outside the queue: a call, which looks before it resumes, and waits for the queue.
    private var call: Call?
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
        if choice == 99 { return cancel() }
        switch choice % 9 {
        case 0: resume()
        case 1 where suspendCount == 0 && !isCanceling && delivered.last != last:
            suspendCount += 1
            queue.append(.stop)
        case 2, 3: runQueue()
        case 4 where call == .begun: call = suspendCount == 0 ? .looked : .returned
        case 5 where begins > 0 && !isWaiting && ends == 0 && produced < last:
            produced += 1
            isWaiting = true
            handle(.produced([produced], isLast: produced == last))
        case 6 where call == .looked:
            resume(isOurs: true)
            call = .returned
        case 7 where call == .returned:
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
            for choice in [4, 6, 7, 3, 8, 5] { step(choice) }
        }
        for _ in 0..<20 { for choice in [4, 6, 7, 3, 8] { step(choice) } }
        if begins > 1 { problems.append("begun \(begins) times") }
        if ends != 1 { problems.append("ended \(ends) times") }
        if isWaiting { problems.append("the producer waits forever") }
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
        if begins == 0 || cancels > 0 || delivered.last == last { return }
        cancels += 1
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
                call = .begun
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
