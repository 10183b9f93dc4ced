import EngineScenarios
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Testing

@testable import InterceptorKitCurl

private let head = ResponseHead(status: 200, headers: ["X-A": "1"])
// Large enough not to be joined.
private let one = Data(repeating: 1, count: 10_000)
private let two = Data(repeating: 2, count: 10_000)
private let lost = Failure.engine(
    EngineFailure(error: CurlError(code: 56, text: "lost"), isUnsent: false)
)

@Suite("RequestState")
struct RequestStateTests {
    /// One row: what has happened, what happens now, what must follow.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: [RequestState.Event]
        let event: RequestState.Event
        let effects: [String]

        init(
            _ name: String,
            after before: [RequestState.Event],
            _ event: RequestState.Event,
            _ effects: String...
        ) {
            testDescription = name
            self.before = before
            self.event = event
            self.effects = effects
        }
    }

    static let sent: [RequestState.Event] = [.callerWaits]
    static let receiving: [RequestState.Event] = sent + [.head(head)]
    static let full: [RequestState.Event] =
        receiving + [.chunk(one), .chunk(two), .receivingPaused]
    static let ended: [RequestState.Event] =
        receiving + [.chunk(one), .completed(nil, trailers: nil)]

    static let beforeHead: [Row] = [
        Row("the caller's wait starts it", after: [], .callerWaits, "start"),
        Row("cancelled before", after: [.callerCancelled], .callerWaits, "caller cancelled"),
        Row("late before", after: [.deadlinePassed], .callerWaits, "caller deadlinePassed"),
        Row("closed before", after: [.closed], .callerWaits, "caller closed"),
        Row("not started", after: sent, .notStarted(.refused), "caller refused"),
        Row("cancelled in flight", after: sent, .callerCancelled, "caller cancelled", "stop"),
        Row("late in flight", after: sent, .deadlinePassed, "caller deadlinePassed", "stop"),
        Row("closed in flight", after: sent, .closed, "caller closed", "stop"),
        Row("a body that fails", after: sent, .failed(.silent), "caller silent", "stop"),
        Row("cancelled twice", after: sent + [.callerCancelled], .callerCancelled),
        Row("a head after cancelling", after: sent + [.callerCancelled], .head(head)),
        Row(
            "completed after cancelling",
            after: sent + [.callerCancelled],
            .completed(lost, trailers: nil)
        ),
        Row(
            "cancelled after failing",
            after: sent + [.completed(lost, trailers: nil)],
            .callerCancelled
        ),
        Row("libcurl fails", after: sent, .completed(lost, trailers: nil), "caller engine"),
        Row("no head", after: sent, .completed(nil, trailers: nil), "caller noResponse"),
        Row("a chunk before the head", after: sent, .chunk(one)),
        Row("the head", after: sent, .head(head), "caller 200"),
    ]

    static let afterHead: [Row] = [
        Row("a second head", after: receiving, .head(head)),
        Row("the caller cancelled", after: receiving, .callerCancelled),
        Row("the deadline", after: receiving, .deadlinePassed),
        Row("a chunk waits", after: receiving, .chunk(one)),
        Row("a reader waits", after: receiving, .readerWaits),
        Row(
            "a chunk meets its reader",
            after: receiving + [.readerWaits],
            .chunk(one),
            "reader one"
        ),
        Row(
            "a reader meets its chunk",
            after: receiving + [.chunk(one)],
            .readerWaits,
            "reader one"
        ),
        Row(
            "chunks in order",
            after: receiving + [.chunk(one), .chunk(two), .readerWaits],
            .readerWaits,
            "reader two"
        ),
        Row(
            "full, the loop pauses",
            after: receiving + [.chunk(one), .chunk(two)],
            .receivingPaused
        ),
        Row("half read, it goes on", after: full, .readerWaits, "reader one", "resumeReceiving"),
        Row("it goes on once", after: full + [.readerWaits], .readerWaits, "reader two"),
        Row("read meanwhile, it goes on", after: receiving, .receivingPaused, "resumeReceiving"),
        Row("the end waits for the rest", after: ended, .readerWaits, "reader one"),
        Row("the end", after: ended + [.readerWaits], .readerWaits, "reader end"),
        Row(
            "the end again",
            after: ended + [.readerWaits, .readerWaits],
            .readerWaits,
            "reader end"
        ),
        Row(
            "a waiting reader is told of the end",
            after: receiving + [.readerWaits],
            .completed(nil, trailers: nil),
            "reader end"
        ),
        Row(
            "what came before a failure is read first",
            after: receiving + [.chunk(one), .completed(lost, trailers: nil)],
            .readerWaits,
            "reader one"
        ),
        Row(
            "then the failure",
            after: receiving + [.chunk(one), .completed(lost, trailers: nil), .readerWaits],
            .readerWaits,
            "reader engine"
        ),
        Row("dropped", after: receiving, .readerLeft, "stop"),
        Row("dropped twice", after: receiving + [.readerLeft], .readerLeft),
        Row(
            "left while waiting",
            after: receiving + [.readerWaits],
            .readerLeft,
            "reader cancelled",
            "stop"
        ),
        Row(
            "read after dropping",
            after: receiving + [.readerLeft],
            .readerWaits,
            "reader cancelled"
        ),
        Row(
            "dropped with the rest unread",
            after: ended + [.readerLeft],
            .readerWaits,
            "reader cancelled"
        ),
        Row("dropped at the end", after: ended + [.readerWaits], .readerLeft),
        Row("closed", after: receiving + [.readerWaits], .closed, "reader closed", "stop"),
        Row(
            "closed unread",
            after: receiving + [.chunk(one), .closed],
            .readerWaits,
            "reader closed"
        ),
        Row("closed at the end", after: ended, .closed),
    ]

    @Test("has the table's effects for each event", arguments: beforeHead + afterHead)
    func table(row: Row) {
        var state = RequestState(limit: 20_000)
        for event in row.before { _ = state.handle(event) }

        let effects = state.handle(row.event)

        #expect(names(of: effects) == row.effects)
    }

    @Test("holds the trailers until the body has been read")
    func trailers() {
        var state = RequestState(limit: 20_000)
        for event in Self.receiving { _ = state.handle(event) }
        _ = state.handle(.chunk(one))
        _ = state.handle(.completed(nil, trailers: ["X-T": "1"]))

        let early = state.trailers
        _ = state.handle(.readerWaits)

        #expect(early == nil)
        #expect(state.trailers == ["X-T": "1"])
    }

    @Test("resumes each wait once, in any order of events", arguments: 1...200)
    func anyOrder(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = RequestState(limit: 20_000)
        var plays = TransferWaits()

        for _ in 0..<60 {
            guard let event = plays.event(random.next(below: 11)) else { continue }
            plays.note(state.handle(event))
        }
        plays.finish(&state)

        #expect(plays.problems == [])
    }
}

private func names(of effects: RequestState.Effects) -> [String] {
    var names: [String] = []
    switch effects.caller {
    case .success(let head): names.append("caller \(head.status.code)")
    case .failure(let failure): names.append("caller \(name(of: failure))")
    case nil: break
    }
    switch effects.reader {
    case .success(let chunk):
        names.append("reader \(chunk.map { $0 == one ? "one" : "two" } ?? "end")")
    case .failure(let failure): names.append("reader \(name(of: failure))")
    case nil: break
    }
    if let command = effects.command { names.append("\(command)") }
    return names
}

private func name(of failure: Failure) -> String {
    String("\(failure)".prefix { $0 != "(" })
}
