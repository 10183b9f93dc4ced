import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RequestState before the head")
struct RequestStateHeadTests {
    private typealias Row = RequestStateRow
    private typealias S = Sample

    static let start: [RequestStateRow] = [
        Row("the caller's wait is for the engine", after: [], .callerWaits, [.awaitEngine]),
        Row("a free engine makes a task", after: [.callerWaits], .engineFree, [.makeTask]),
        Row("a task made is started", after: [.callerWaits, .engineFree], .taskMade, [.startTask]),
        Row(
            "cancelled while the engine is busy",
            after: [.callerWaits],
            .callerCancelled,
            [.failCaller(.cancelled)]
        ),
        Row(
            "cancelled while the engine was busy, none is made",
            after: [.callerWaits, .callerCancelled],
            .engineFree,
            [.forget]
        ),
        Row(
            "cancelled before waiting, none is made",
            after: [.callerCancelled],
            .callerWaits,
            [.failCaller(.cancelled), .forget]
        ),
        Row(
            "timed out before waiting, none is made",
            after: [.deadlinePassed],
            .callerWaits,
            [.failCaller(.timedOut), .forget]
        ),
        Row(
            "closed before waiting, none is made",
            after: [.closed],
            .callerWaits,
            [.failCaller(.closed), .forget]
        ),
        Row(
            "cancelled while the task is made",
            after: [.callerWaits, .engineFree],
            .callerCancelled,
            [.failCaller(.cancelled)]
        ),
        Row(
            "a task made too late is cancelled",
            after: [.callerWaits, .engineFree, .callerCancelled],
            .taskMade,
            [.cancelTask]
        ),
    ]

    static let inFlight: [RequestStateRow] = [
        Row("cancelled", after: S.sent, .callerCancelled, [.failCaller(.cancelled), .cancelTask]),
        Row(
            "the deadline passes",
            after: S.sent,
            .deadlinePassed,
            [.failCaller(.timedOut), .cancelTask]
        ),
        Row("closed", after: S.sent, .closed, [.failCaller(.closed), .cancelTask]),
        Row("resent", after: S.sent, .resent, [.failCaller(.resent), .cancelTask]),
        Row("cancelled twice", after: S.sent + [.callerCancelled], .callerCancelled, []),
        Row("closed after cancelling", after: S.sent + [.callerCancelled], .closed, []),
        Row("a head after cancelling", after: S.sent + [.callerCancelled], .head(S.head), []),
        Row("a chunk after cancelling", after: S.sent + [.callerCancelled], .chunk(S.one), []),
        Row(
            "a challenge after cancelling",
            after: S.sent + [.callerCancelled],
            .challenge(S.head),
            []
        ),
        Row("completion after cancelling", after: S.sent + [.callerCancelled], S.broken, []),
        Row("a turn's end after cancelling", after: S.sent + [.callerCancelled], .batchEnded, []),
        Row("cancelled after failing", after: S.sent + [S.broken], .callerCancelled, []),
        Row("completed twice", after: S.sent + [S.broken], S.broken, []),
        Row("the engine fails", after: S.sent, S.broken, [.failCaller(.engine(S.lost))]),
        Row("the engine ends without a head", after: S.sent, S.done, [.failCaller(.noResponse)]),
        Row(
            "the engine ends with a head it kept to itself",
            after: S.sent,
            .completed(nil, unseen: S.head),
            [.deliverHead(S.head)]
        ),
        Row(
            "the engine fails with a head it kept to itself",
            after: S.sent,
            .completed(S.lost, unseen: S.head),
            [.failCaller(.engine(S.lost))]
        ),
        Row(
            "the body of a head it kept to itself is lost",
            after: S.sent + [.completed(nil, unseen: S.head)],
            .readerWaits,
            [.failReader(.droppedBody)]
        ),
        Row(
            "103 is not the response",
            after: S.sent,
            .head(ResponseHead(status: 103, headers: [:])),
            []
        ),
        Row(
            "a length that cannot be used",
            after: S.sent,
            .lengthUnusable,
            [.failCaller(.lengthUnusable), .cancelTask]
        ),
        Row("a chunk before the head is no body", after: S.sent, .chunk(S.one), []),
        Row(
            "a challenge before the head delivers it",
            after: S.sent,
            .challenge(S.head),
            [.deliverHead(S.head), .cancelTask]
        ),
    ]

    static let atOnce: [RequestStateRow] = [
        Row("the head is delivered", after: S.sent, .head(S.head), [.deliverHead(S.head)]),
        Row("a second head", after: S.receiving, .head(S.head), []),
        Row("cancelling the caller", after: S.receiving, .callerCancelled, []),
        Row("the deadline", after: S.receiving, .deadlinePassed, []),
    ]

    static let held: [RequestStateRow] = [
        Row("the head waits for the turn's end", after: S.sent, .head(S.head), [.awaitBatch]),
        Row("and is delivered then", after: S.receiving, .batchEnded, [.deliverHead(S.head)]),
        Row(
            "with what has come",
            after: S.receiving + [.chunk(S.one), .batchEnded],
            .readerWaits,
            [.deliver(.chunks([S.one]))]
        ),
        Row("once", after: S.receiving + [.batchEnded], .batchEnded, []),
        Row("a chunk asks for no second turn", after: S.receiving, .chunk(S.one), []),
        Row("a second head changes nothing", after: S.receiving, .head(S.head), []),
        Row("the body's end delivers it", after: S.receiving, S.done, [.deliverHead(S.head)]),
        Row("the body's failure too", after: S.receiving, S.broken, [.deliverHead(S.head)]),
        Row(
            "the failure is the reader's",
            after: S.receiving + [S.broken],
            .readerWaits,
            [.failReader(.engine(S.lost))]
        ),
        Row(
            "the deadline delivers it",
            after: S.receiving,
            .deadlinePassed,
            [.deliverHead(S.head)]
        ),
        Row(
            "a challenge delivers it",
            after: S.receiving,
            .challenge(S.head),
            [.deliverHead(S.head), .cancelTask]
        ),
        Row(
            "cancelling wins",
            after: S.receiving,
            .callerCancelled,
            [.failCaller(.cancelled), .cancelTask]
        ),
        Row("nothing comes after", after: S.receiving + [.callerCancelled], .batchEnded, []),
        Row("closing wins", after: S.receiving, .closed, [.failCaller(.closed), .cancelTask]),
        Row(
            "so much that waking pays",
            after: S.sent + [.head(S.head)],
            .chunk(Data(count: 10)),
            []
        ),
    ]

    @Test("has its row's actions for each event", arguments: start + inFlight + atOnce)
    func rows(row: RequestStateRow) {
        #expect(row.actual(waitsForBatches: false) == row.actions)
    }

    @Test("holds the head until the engine's batch of callbacks ends", arguments: start + held)
    func batches(row: RequestStateRow) {
        #expect(row.actual(waitsForBatches: true) == row.actions)
    }

    @Test("delivers the head within a batch when much data has arrived")
    func muchInOneTurn() {
        var state = RequestState(limits: .init(memory: 1 << 20, files: 0), waitsForBatches: true)
        for event in S.receiving { _ = state.handle(event) }

        let actions = state.handle(.chunk(Data(count: 64 * 1024)))

        #expect(actions == [.deliverHead(S.head)])
    }
}
