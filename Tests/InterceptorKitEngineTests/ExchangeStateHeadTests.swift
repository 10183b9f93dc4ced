import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitEngine

@Suite("ExchangeState before the head")
struct ExchangeStateHeadTests {
    private typealias Row = ExchangeStateRow
    private typealias S = Sample

    static let start: [ExchangeStateRow] = [
        Row("the caller's wait starts it", after: [], .callerWaits, "start"),
        Row("cancelled before", after: [.callerCancelled], .callerWaits, "caller cancelled"),
        Row("late before", after: [.deadlinePassed], .callerWaits, "caller deadlinePassed"),
        Row("closed before", after: [.failed(.closed)], .callerWaits, "caller closed"),
        Row("not started", after: S.sent, .notStarted(.refused), "caller refused"),
        Row(
            "not started after cancelling",
            after: S.sent + [.callerCancelled],
            .notStarted(.refused)
        ),
    ]

    static let inFlight: [ExchangeStateRow] = [
        Row("cancelled", after: S.sent, .callerCancelled, "caller cancelled", "stop"),
        Row("the deadline passes", after: S.sent, .deadlinePassed, "caller deadlinePassed", "stop"),
        Row("closed", after: S.sent, .failed(.closed), "caller closed", "stop"),
        Row("the engine's own failure", after: S.sent, .failed(S.lost), "caller lost", "stop"),
        Row("cancelled twice", after: S.sent + [.callerCancelled], .callerCancelled),
        Row("closed after cancelling", after: S.sent + [.callerCancelled], .failed(.closed)),
        Row("a head after cancelling", after: S.sent + [.callerCancelled], .head(S.head)),
        Row("a chunk after cancelling", after: S.sent + [.callerCancelled], .chunk(S.one)),
        Row("an early end after cancelling", after: S.sent + [.callerCancelled], S.early),
        Row("completion after cancelling", after: S.sent + [.callerCancelled], S.broken),
        Row("a batch's end after cancelling", after: S.sent + [.callerCancelled], .batchEnded),
        Row("cancelled after failing", after: S.sent + [S.broken], .callerCancelled),
        Row("completed twice", after: S.sent + [S.broken], S.broken),
        Row("the engine fails", after: S.sent, S.broken, "caller lost"),
        Row("the engine ends without a head", after: S.sent, S.done, "caller noResponse"),
        Row("103 is not the response", after: S.sent, .head(.init(status: 103, headers: [:]))),
        Row("a chunk before the head is no body", after: S.sent, .chunk(S.one)),
    ]

    static let atOnce: [ExchangeStateRow] = [
        Row("the head is delivered", after: S.sent, .head(S.head), "caller 200"),
        Row("a second head", after: S.receiving, .head(S.head)),
        Row("cancelling the caller", after: S.receiving, .callerCancelled),
        Row("the deadline", after: S.receiving, .deadlinePassed),
        Row(
            "the head with the end",
            after: S.sent,
            .arrived(.init(head: S.head, ending: .init())),
            "caller 200"
        ),
        Row(
            "the head with a failure of the body",
            after: S.sent,
            .arrived(.init(head: S.head, ending: .init(S.lost))),
            "caller 200"
        ),
        Row(
            "which is the reader's",
            after: S.sent + [.arrived(.init(head: S.head, ending: .init(S.lost)))],
            .readerWaits,
            "reader lost"
        ),
        Row(
            "the head with an early end",
            after: S.sent,
            .arrived(.init(head: S.head, ending: .init(isEarly: true))),
            "caller 200",
            "stop"
        ),
    ]

    static let held: [ExchangeStateRow] = [
        Row("the head waits for the batch's end", after: S.sent, .head(S.head), "awaitBatch"),
        Row("and is delivered then", after: S.receiving, .batchEnded, "caller 200"),
        Row(
            "with what has come",
            after: S.receiving + [.chunk(S.one), .batchEnded],
            .readerWaits,
            "reader one"
        ),
        Row("once", after: S.receiving + [.batchEnded], .batchEnded),
        Row("a chunk asks for no second batch", after: S.receiving, .chunk(S.one)),
        Row("a second head changes nothing", after: S.receiving, .head(S.head)),
        Row("the body's end delivers it", after: S.receiving, S.done, "caller 200"),
        Row("the body's failure too", after: S.receiving, S.broken, "caller 200"),
        Row(
            "the failure is the reader's",
            after: S.receiving + [S.broken],
            .readerWaits,
            "reader lost"
        ),
        Row("the deadline delivers it", after: S.receiving, .deadlinePassed, "caller 200"),
        Row("an early end delivers it", after: S.receiving, S.early, "caller 200", "stop"),
        Row("cancelling wins", after: S.receiving, .callerCancelled, "caller cancelled", "stop"),
        Row("nothing comes after", after: S.receiving + [.callerCancelled], .batchEnded),
        Row("closing wins", after: S.receiving, .failed(.closed), "caller closed", "stop"),
    ]

    @Test(
        "has its row's effects for each event",
        arguments: start + inFlight + atOnce,
        [.pausing, .storing] as [EngineKind]
    )
    func rows(row: ExchangeStateRow, engine: EngineKind) {
        expectEqual(row.actual(engine), row.effects)
    }

    @Test(
        "holds the head until the engine's batch of callbacks ends",
        arguments: start + inFlight + held
    )
    func batches(row: ExchangeStateRow) {
        expectEqual(row.actual(.batching), row.effects)
    }

    @Test("delivers the head within a batch when much data has arrived")
    func muchInOneBatch() {
        var state = ExchangeState(limits: .init(memory: 1 << 20, files: 0), waitsForBatches: true)
        for event in S.receiving { _ = state.handle(event) }

        let effects = state.handle(.chunk(Data(count: 64 * 1024)))

        expectEqual(effects.names, ["caller 200"])
    }

    @Test("ends the upload with the first failure, started or not", arguments: EngineKind.allCases)
    func upload(engine: EngineKind) {
        for before in [[], S.sent, S.receiving] {
            var state = engine.state
            for event in before { _ = state.handle(event) }

            let first = state.handle(.failed(S.lost))
            let second = state.handle(.failed(.closed))

            expectTrue(first.commands.contains(.endUpload))
            expectEqual(second.commands, [])
        }
    }
}
