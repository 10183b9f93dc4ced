import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One row of a table: what has happened, what happens now, what must follow.
struct TaskStateRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [TaskState.Event]
    let event: TaskState.Event
    let actions: [TaskState.Action]

    init(
        _ name: String,
        after before: [TaskState.Event],
        _ event: TaskState.Event,
        _ actions: [TaskState.Action]
    ) {
        testDescription = name
        self.before = before
        self.event = event
        self.actions = actions
    }

    /// What follows in a state that keeps 10 bytes in memory and 10 in files.
    func actual(waitsForTurns: Bool) -> [TaskState.Action] {
        let limits = Backlog.Limits(memory: 10, files: 10)
        var state = TaskState(limits: limits, waitsForTurns: waitsForTurns)
        for event in before { _ = state.handle(event) }
        return state.handle(event)
    }
}

enum Sample {
    static let head = ResponseHead(status: 200, headers: ["X-A": "1"])
    static let one = Data("one".utf8)
    static let two = Data("two".utf8)
    static let lost = URLError(.networkConnectionLost)
    static let fullDisk = StorageError(deed: "written", number: ENOSPC)
    static let sent: [TaskState.Event] = [.callerWaits, .engineFree, .taskMade]
    static let receiving: [TaskState.Event] = sent + [.head(head)]
    static let done = TaskState.Event.completed(nil, unseen: nil)
    static let broken = TaskState.Event.completed(lost, unseen: nil)
    static let full: [TaskState.Event] = receiving + [.chunk(Data(count: 10))]

    static func region(_ range: Range<Int>) -> Backlog.Region {
        Backlog.Region(file: 0, range: range)
    }
}
