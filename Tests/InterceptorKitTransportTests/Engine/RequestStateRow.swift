import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One row of a table: what has happened, what happens now, what must follow.
struct RequestStateRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [RequestState.Event]
    let event: RequestState.Event
    let actions: [RequestState.Action]

    init(
        _ name: String,
        after before: [RequestState.Event],
        _ event: RequestState.Event,
        _ actions: [RequestState.Action]
    ) {
        testDescription = name
        self.before = before
        self.event = event
        self.actions = actions
    }

    /// What follows in a state that keeps 10 bytes in memory and 10 in files.
    func actual(waitsForBatches: Bool) -> [RequestState.Action] {
        let limits = ReceiveBuffer.Limits(memory: 10, files: 10)
        var state = RequestState(limits: limits, waitsForBatches: waitsForBatches)
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
    static let sent: [RequestState.Event] = [.callerWaits, .engineFree, .taskMade]
    static let receiving: [RequestState.Event] = sent + [.head(head)]
    static let done = RequestState.Event.completed(nil, unseen: nil)
    static let broken = RequestState.Event.completed(lost, unseen: nil)
    static let full: [RequestState.Event] = receiving + [.chunk(Data(count: 10))]

    static func region(_ range: Range<Int>) -> ReceiveBuffer.Region {
        ReceiveBuffer.Region(file: 0, range: range)
    }
}
