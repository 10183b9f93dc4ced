import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitEngine

@Suite("ExchangeState after the head")
struct ExchangeStateBodyTests {
    private typealias Row = ExchangeStateRow
    private typealias S = Sample

    static let reading: [ExchangeStateRow] = [
        Row("a chunk waits for its reader", after: S.receiving, .chunk(S.one)),
        Row("a reader waits for its chunk", after: S.receiving, .readerWaits),
        Row(
            "a chunk meets its reader",
            after: S.receiving + [.readerWaits],
            .chunk(S.one),
            "reader one"
        ),
        Row(
            "a reader meets its chunk",
            after: S.receiving + [.chunk(S.one)],
            .readerWaits,
            "reader one"
        ),
        Row("chunks keep their order", after: S.full + [.readerWaits], .readerWaits, "reader two"),
        Row("an empty chunk is no chunk", after: S.receiving + [.readerWaits], .chunk(Data())),
        Row("the end meets its reader", after: S.receiving + [.readerWaits], S.done, "reader end"),
        Row(
            "an error meets its reader",
            after: S.receiving + [.readerWaits],
            S.broken,
            "reader lost"
        ),
        Row(
            "what came before the end is read",
            after: S.receiving + [.chunk(S.one), S.done],
            .readerWaits,
            "reader one"
        ),
        Row(
            "what came before an error is read",
            after: S.receiving + [.chunk(S.one), S.broken],
            .readerWaits,
            "reader one"
        ),
        Row(
            "the end after it",
            after: S.receiving + [.chunk(S.one), S.done, .readerWaits],
            .readerWaits,
            "reader end"
        ),
        Row(
            "the error after it",
            after: S.receiving + [.chunk(S.one), S.broken, .readerWaits],
            .readerWaits,
            "reader lost"
        ),
        Row(
            "the end stays the end",
            after: S.receiving + [S.done, .readerWaits],
            .readerWaits,
            "reader end"
        ),
        Row(
            "an error stays an error",
            after: S.receiving + [S.broken, .readerWaits],
            .readerWaits,
            "reader lost"
        ),
        Row("a chunk after the end", after: S.receiving + [S.done], .chunk(S.one)),
        Row("an end after the end", after: S.receiving + [S.done], S.broken),
        Row(
            "the engine's own failure while reading",
            after: S.receiving + [.readerWaits],
            .failed(S.lost),
            "reader lost",
            "stop"
        ),
    ]

    static let ending: [ExchangeStateRow] = [
        Row(
            "an early end ends the body",
            after: S.receiving + [.readerWaits],
            S.early,
            "reader end",
            "stop"
        ),
        Row(
            "what came before an early end is read",
            after: S.receiving + [.chunk(S.one), S.early],
            .readerWaits,
            "reader one"
        ),
        Row("completion after an early end", after: S.receiving + [S.early], S.broken),
        Row(
            "the reader leaves while waiting",
            after: S.receiving + [.readerWaits],
            .readerLeft,
            "reader cancelled",
            "stop"
        ),
        Row("dropped unread", after: S.receiving + [.chunk(S.one)], .readerLeft, "stop"),
        Row("dropped twice", after: S.receiving + [.readerLeft], .readerLeft),
        Row("a body that is over is dropped", after: S.receiving + [S.done], .readerLeft),
        Row(
            "read after leaving",
            after: S.receiving + [.chunk(S.one), .readerLeft],
            .readerWaits,
            "reader cancelled"
        ),
        Row(
            "read after leaving what is over",
            after: S.receiving + [.chunk(S.one), S.done, .readerLeft],
            .readerWaits,
            "reader cancelled"
        ),
        Row(
            "the end was here before leaving",
            after: S.receiving + [S.done, .readerLeft],
            .readerWaits,
            "reader end"
        ),
        Row(
            "closed while reading",
            after: S.receiving + [.readerWaits],
            .failed(.closed),
            "reader closed",
            "stop"
        ),
        Row(
            "closed unread",
            after: S.receiving + [.chunk(S.one), .failed(.closed)],
            .readerWaits,
            "reader closed"
        ),
        Row(
            "closed when all is here",
            after: S.receiving + [.chunk(S.one), S.done],
            .failed(.closed)
        ),
    ]

    static let pausing: [ExchangeStateRow] = [
        Row("full, the engine pauses", after: S.full, .receivingPaused),
        Row(
            "half read, it goes on",
            after: S.full + [.receivingPaused],
            .readerWaits,
            "reader one",
            "resumeReceiving"
        ),
        Row(
            "it goes on once",
            after: S.full + [.receivingPaused, .readerWaits],
            .readerWaits,
            "reader two"
        ),
        Row("read meanwhile, it goes on", after: S.receiving, .receivingPaused, "resumeReceiving"),
        Row("over, it does not", after: S.receiving + [S.done], .receivingPaused),
        Row("a last chunk beyond the limit", after: S.full, .chunk(S.three)),
        Row(
            "is read",
            after: S.full + [.chunk(S.three), .readerWaits, .readerWaits],
            .readerWaits,
            "reader three"
        ),
    ]

    static let storing: [ExchangeStateRow] = [
        Row(
            "more than memory is for goes to a file",
            after: S.full,
            .chunk(Data(S.three.prefix(3))),
            "store three in 0:0..<3"
        ),
        Row(
            "and all after it",
            after: S.full + [.chunk(Data(S.three.prefix(3))), .stored(nil), .readerWaits],
            .chunk(Data(S.two.prefix(4))),
            "store two in 0:3..<7"
        ),
        Row(
            "what is in memory is read first",
            after: S.full + [.chunk(S.three), .stored(nil), .readerWaits],
            .readerWaits,
            "reader two"
        ),
        Row(
            "then the file",
            after: S.full + [.chunk(S.three), .stored(nil), .readerWaits, .readerWaits],
            .readerWaits,
            "reader 0:0..<10000"
        ),
        Row(
            "and memory again",
            after: S.full + [.chunk(S.three), .stored(nil)]
                + [.readerWaits, .readerWaits, .readerWaits],
            .chunk(S.one)
        ),
        Row(
            "what is being stored is not read yet",
            after: S.full + [.chunk(S.three), .readerWaits, .readerWaits],
            .readerWaits
        ),
        Row(
            "stored, it is",
            after: S.full + [.chunk(S.three), .readerWaits, .readerWaits, .readerWaits],
            .stored(nil),
            "reader 0:0..<10000"
        ),
        Row(
            "more than files are for",
            after: S.full + [.chunk(S.three), .stored(nil)],
            .chunk(S.one),
            "dropFiles",
            "stop"
        ),
        Row(
            "a reader too slow is told",
            after: S.full + [.chunk(Data(count: 10_001))],
            .readerWaits,
            "reader readerTooSlow"
        ),
        Row(
            "a full disk ends it",
            after: S.full + [.chunk(S.three)],
            .stored(S.fullDisk),
            "dropFiles",
            "stop"
        ),
        Row(
            "a full disk is told",
            after: S.full + [.chunk(S.three), .stored(S.fullDisk)],
            .readerWaits,
            "reader full disk"
        ),
        Row(
            "a full disk after the end too",
            after: S.full + [.chunk(S.three), .readerWaits, .readerWaits, .readerWaits, S.done],
            .stored(S.fullDisk),
            "reader full disk",
            "dropFiles"
        ),
        Row(
            "the end waits for what is being stored",
            after: S.full + [.chunk(S.three), .readerWaits, .readerWaits, .readerWaits],
            S.done
        ),
        Row(
            "the reader leaves what is stored",
            after: S.full + [.chunk(S.three), .stored(nil)],
            .readerLeft,
            "dropFiles",
            "stop"
        ),
        Row(
            "stored after leaving",
            after: S.full + [.chunk(S.three), .readerLeft],
            .stored(nil)
        ),
        Row(
            "not stored after leaving",
            after: S.full + [.chunk(S.three), .readerLeft],
            .stored(S.fullDisk)
        ),
    ]

    static let batches: [ExchangeStateRow] = [
        Row(
            "a chunk asks for the batch's end",
            after: S.receiving + [.batchEnded, .readerWaits],
            .chunk(S.one),
            "awaitBatch"
        ),
        Row(
            "which wakes the reader",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one), .chunk(S.two)],
            .batchEnded,
            "reader one"
        ),
        Row(
            "for which the rest is here",
            after: S.receiving
                + [.batchEnded, .readerWaits, .chunk(S.one), .chunk(S.two), .batchEnded],
            .readerWaits,
            "reader two"
        ),
        Row(
            "a second chunk does not ask again",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one)],
            .chunk(S.two)
        ),
        Row(
            "the end wakes with what came",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one)],
            S.done,
            "reader one"
        ),
        Row(
            "nobody waits, nobody is woken",
            after: S.receiving + [.batchEnded],
            .chunk(S.one)
        ),
    ]

    @Test(
        "has its row's effects for each event",
        arguments: reading + ending,
        [.pausing, .storing] as [EngineKind]
    )
    func rows(row: ExchangeStateRow, engine: EngineKind) {
        expectEqual(row.actual(engine), row.effects)
    }

    @Test("pauses an engine that can, and has it go on when half was read", arguments: pausing)
    func pausingRows(row: ExchangeStateRow) {
        expectEqual(row.actual(.pausing), row.effects)
    }

    @Test("keeps in files what an engine that cannot pause delivers", arguments: storing)
    func storingRows(row: ExchangeStateRow) {
        expectEqual(row.actual(.storing), row.effects)
    }

    @Test("wakes the reader when the engine's batch of callbacks ends", arguments: batches)
    func batchRows(row: ExchangeStateRow) {
        expectEqual(row.actual(.batching), row.effects)
    }

    @Test("holds the trailers until the body has been read")
    func trailers() {
        var state = EngineKind.pausing.state
        for event in S.receiving { _ = state.handle(event) }
        _ = state.handle(.chunk(S.one))
        _ = state.handle(.completed(.init(trailers: ["X-T": "1"])))

        let early = state.trailers
        _ = state.handle(.readerWaits)

        expectEqual(early, nil)
        expectEqual(state.trailers, ["X-T": "1"])
    }
}
