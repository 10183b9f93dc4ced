import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let head = ResponseHead(status: 200, headers: ["X-A": "1"])
private let one = Data("one".utf8)
private let two = Data("two".utf8)
private let lost = URLError(.networkConnectionLost)

@Suite("TaskState")
struct TaskStateTests {
    /// One row: what has happened, what happens now, what must follow.
    struct Row: Sendable, CustomTestStringConvertible {
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
    }

    static let sent: [TaskState.Event] = [.callerWaits, .taskMade]
    static let receiving: [TaskState.Event] = sent + [.head(head)]

    static let beforeHead: [Row] = [
        Row("the caller's wait makes a task", after: [], .callerWaits, [.makeTask]),
        Row("a task made is started", after: [.callerWaits], .taskMade, [.startTask]),
        Row(
            "cancelled before waiting, none is made",
            after: [.callerCancelled],
            .callerWaits,
            [
                .failCaller(.cancelled), .forget,
            ]
        ),
        Row(
            "timed out before waiting, none is made",
            after: [.deadlinePassed],
            .callerWaits,
            [
                .failCaller(.timedOut), .forget,
            ]
        ),
        Row(
            "closed before waiting, none is made",
            after: [.closed],
            .callerWaits,
            [
                .failCaller(.closed), .forget,
            ]
        ),
        Row(
            "cancelled while the task is made",
            after: [.callerWaits],
            .callerCancelled,
            [
                .failCaller(.cancelled)
            ]
        ),
        Row(
            "a task made too late is cancelled",
            after: [.callerWaits, .callerCancelled],
            .taskMade,
            [
                .cancelTask
            ]
        ),
        Row(
            "cancelled in flight",
            after: sent,
            .callerCancelled,
            [
                .failCaller(.cancelled), .cancelTask,
            ]
        ),
        Row(
            "the deadline passes in flight",
            after: sent,
            .deadlinePassed,
            [
                .failCaller(.timedOut), .cancelTask,
            ]
        ),
        Row("closed in flight", after: sent, .closed, [.failCaller(.closed), .cancelTask]),
        Row("cancelled twice", after: sent + [.callerCancelled], .callerCancelled, []),
        Row("a head after cancelling", after: sent + [.callerCancelled], .head(head), []),
        Row("completion after cancelling", after: sent + [.callerCancelled], .completed(lost), []),
        Row("cancelled after failing", after: sent + [.completed(lost)], .callerCancelled, []),
        Row("the engine fails", after: sent, .completed(lost), [.failCaller(.engine(lost))]),
        Row(
            "the engine ends without a head",
            after: sent,
            .completed(nil),
            [.failCaller(.noResponse)]
        ),
        Row(
            "103 is not the response",
            after: sent,
            .head(ResponseHead(status: 103, headers: [:])),
            []
        ),
        Row("a chunk before the head is no body", after: sent, .chunk(one), []),
        Row("the head is delivered", after: sent, .head(head), [.deliverHead(head)]),
        Row(
            "a challenge before the head delivers it",
            after: sent,
            .challenge(head),
            [
                .deliverHead(head), .cancelTask,
            ]
        ),
    ]

    static let afterHead: [Row] = [
        Row("a second head", after: receiving, .head(head), []),
        Row("cancelling the caller", after: receiving, .callerCancelled, []),
        Row("the deadline", after: receiving, .deadlinePassed, []),
        Row("a chunk waits for its reader", after: receiving, .chunk(one), []),
        Row("a reader waits for its chunk", after: receiving, .readerWaits, []),
        Row(
            "a chunk meets its reader",
            after: receiving + [.readerWaits],
            .chunk(one),
            [
                .deliverChunk(one)
            ]
        ),
        Row(
            "a reader meets its chunk",
            after: receiving + [.chunk(one)],
            .readerWaits,
            [
                .deliverChunk(one)
            ]
        ),
        Row(
            "chunks keep their order",
            after: receiving + [.chunk(one), .chunk(two), .readerWaits],
            .readerWaits,
            [.deliverChunk(two)]
        ),
        Row("an empty chunk is no chunk", after: receiving + [.readerWaits], .chunk(Data()), []),
        Row(
            "the end meets its reader",
            after: receiving + [.readerWaits],
            .completed(nil),
            [
                .deliverEnd
            ]
        ),
        Row(
            "an error meets its reader",
            after: receiving + [.readerWaits],
            .completed(lost),
            [
                .failReader(.engine(lost))
            ]
        ),
        Row(
            "what came before the end is read",
            after: receiving + [.chunk(one), .completed(nil)],
            .readerWaits,
            [.deliverChunk(one)]
        ),
        Row(
            "what came before an error is read",
            after: receiving + [.chunk(one), .completed(lost)],
            .readerWaits,
            [.deliverChunk(one)]
        ),
        Row(
            "the end after it",
            after: receiving + [.chunk(one), .completed(nil), .readerWaits],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "the end stays the end",
            after: receiving + [.completed(nil), .readerWaits],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "an error stays an error",
            after: receiving + [.completed(lost), .readerWaits],
            .readerWaits,
            [.failReader(.engine(lost))]
        ),
        Row(
            "more than the limit",
            after: receiving + [.chunk(Data(count: 6))],
            .chunk(Data(count: 5)),
            [
                .cancelTask
            ]
        ),
        Row(
            "as much as the limit",
            after: receiving + [.chunk(Data(count: 6))],
            .chunk(Data(count: 4)),
            []
        ),
        Row(
            "a slow reader is told",
            after: receiving + [.chunk(Data(count: 11))],
            .readerWaits,
            [
                .failReader(.readerTooSlow)
            ]
        ),
        Row(
            "a challenge ends the body",
            after: receiving + [.readerWaits],
            .challenge(head),
            [
                .deliverEnd, .cancelTask,
            ]
        ),
        Row(
            "the challenged body is read",
            after: receiving + [.chunk(one), .challenge(head)],
            .readerWaits,
            [.deliverChunk(one)]
        ),
        Row(
            "completion after a challenge",
            after: receiving + [.challenge(head)],
            .completed(URLError(.cancelled)),
            []
        ),
        Row(
            "the reader leaves while waiting",
            after: receiving + [.readerWaits],
            .readerLeft,
            [
                .failReader(.cancelled), .cancelTask,
            ]
        ),
        Row(
            "the body is dropped unread",
            after: receiving + [.chunk(one)],
            .readerLeft,
            [.cancelTask]
        ),
        Row("dropped twice", after: receiving + [.readerLeft], .readerLeft, []),
        Row(
            "a body that is over is dropped",
            after: receiving + [.completed(nil)],
            .readerLeft,
            []
        ),
        Row(
            "read after leaving",
            after: receiving + [.chunk(one), .readerLeft],
            .readerWaits,
            [
                .failReader(.cancelled)
            ]
        ),
        Row(
            "read after leaving what is over",
            after: receiving + [.chunk(one), .completed(nil), .readerLeft],
            .readerWaits,
            [.failReader(.cancelled)]
        ),
        Row(
            "the end was here before leaving",
            after: receiving + [.completed(nil), .readerLeft],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "closed while reading",
            after: receiving + [.readerWaits],
            .closed,
            [
                .failReader(.closed), .cancelTask,
            ]
        ),
        Row(
            "closed when all is here",
            after: receiving + [.chunk(one), .completed(nil)],
            .closed,
            []
        ),
    ]

    @Test("answers each event as its row says", arguments: beforeHead + afterHead)
    func rows(row: Row) {
        var state = TaskState(limit: 10)
        for event in row.before { _ = state.handle(event) }

        let actions = state.handle(row.event)

        #expect(actions == row.actions)
    }

    @Test("answers every wait exactly once in any order of events", arguments: 0..<50)
    func anyOrder(seed: UInt64) {
        var random = TestRandom(seed: seed)
        for _ in 0..<200 {
            var waits = Waits()
            var state = TaskState(limit: 10)
            for _ in 0..<random.next(below: 14) {
                if let event = waits.event(random.next(below: 11)) {
                    waits.note(state.handle(event))
                }
            }
            waits.finish(&state)

            #expect(waits.problems == [])
        }
    }
}
