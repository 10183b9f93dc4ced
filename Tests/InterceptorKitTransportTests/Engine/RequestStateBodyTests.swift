import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("RequestState after the head")
struct RequestStateBodyTests {
    private typealias Row = RequestStateRow
    private typealias S = Sample

    static let reading: [RequestStateRow] = [
        Row("a chunk waits for its reader", after: S.receiving, .chunk(S.one), []),
        Row("a reader waits for its chunk", after: S.receiving, .readerWaits, []),
        Row(
            "a chunk meets its reader",
            after: S.receiving + [.readerWaits],
            .chunk(S.one),
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "a reader meets its chunk",
            after: S.receiving + [.chunk(S.one)],
            .readerWaits,
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "chunks keep their order",
            after: S.receiving + [.chunk(S.one), .chunk(S.two)],
            .readerWaits,
            [.deliver(.chunks([S.one, S.two]))]
        ),
        Row("an empty chunk is no chunk", after: S.receiving + [.readerWaits], .chunk(Data()), []),
        Row("the end meets its reader", after: S.receiving + [.readerWaits], S.done, [.deliverEnd]),
        Row(
            "an error meets its reader",
            after: S.receiving + [.readerWaits],
            S.broken,
            [.failReader(.engine(S.lost))]
        ),
        Row(
            "what came before the end is read",
            after: S.receiving + [.chunk(S.one), S.done],
            .readerWaits,
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "what came before an error is read",
            after: S.receiving + [.chunk(S.one), S.broken],
            .readerWaits,
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "the end after it",
            after: S.receiving + [.chunk(S.one), S.done, .readerWaits],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "the end stays the end",
            after: S.receiving + [S.done, .readerWaits],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "an error stays an error",
            after: S.receiving + [S.broken, .readerWaits],
            .readerWaits,
            [.failReader(.engine(S.lost))]
        ),
        Row("a chunk after the end", after: S.receiving + [S.done], .chunk(S.one), []),
        Row("an end after the end", after: S.receiving + [S.done], S.broken, []),
        Row(
            "resent while reading",
            after: S.receiving + [.readerWaits],
            .resent,
            [.failReader(.resent), .cancelTask]
        ),
    ]

    static let ending: [RequestStateRow] = [
        Row(
            "a challenge ends the body",
            after: S.receiving + [.readerWaits],
            .challenge(S.head),
            [.deliverEnd, .cancelTask]
        ),
        Row(
            "the challenged body is read",
            after: S.receiving + [.chunk(S.one), .challenge(S.head)],
            .readerWaits,
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "completion after a challenge",
            after: S.receiving + [.challenge(S.head)],
            .completed(URLError(.cancelled), unseen: nil),
            []
        ),
        Row(
            "the reader leaves while waiting",
            after: S.receiving + [.readerWaits],
            .readerLeft,
            [.failReader(.cancelled), .cancelTask]
        ),
        Row(
            "the body is dropped unread",
            after: S.receiving + [.chunk(S.one)],
            .readerLeft,
            [.cancelTask]
        ),
        Row("dropped twice", after: S.receiving + [.readerLeft], .readerLeft, []),
        Row("a body that is over is dropped", after: S.receiving + [S.done], .readerLeft, []),
        Row(
            "read after leaving",
            after: S.receiving + [.chunk(S.one), .readerLeft],
            .readerWaits,
            [.failReader(.cancelled)]
        ),
        Row(
            "read after leaving what is over",
            after: S.receiving + [.chunk(S.one), S.done, .readerLeft],
            .readerWaits,
            [.failReader(.cancelled)]
        ),
        Row(
            "the end was here before leaving",
            after: S.receiving + [S.done, .readerLeft],
            .readerWaits,
            [.deliverEnd]
        ),
        Row(
            "closed while reading",
            after: S.receiving + [.readerWaits],
            .closed,
            [.failReader(.closed), .cancelTask]
        ),
        Row(
            "closed when all is here",
            after: S.receiving + [.chunk(S.one), S.done],
            .closed,
            []
        ),
    ]

    static let storing: [RequestStateRow] = [
        Row("as much as memory is for", after: S.receiving, .chunk(Data(count: 10)), []),
        Row("more goes to a file", after: S.full, .chunk(S.one), [.store(S.one, S.region(0..<3))]),
        Row(
            "and all after it",
            after: S.full + [.chunk(S.one), .stored(nil)],
            .chunk(S.two),
            [.store(S.two, S.region(3..<6))]
        ),
        Row(
            "what is in memory is read first",
            after: S.full + [.chunk(S.one), .stored(nil)],
            .readerWaits,
            [.deliver(.chunks([Data(count: 10)]))]
        ),
        Row(
            "then the file",
            after: S.full + [.chunk(S.one), .stored(nil), .readerWaits],
            .readerWaits,
            [.deliver(.file(S.region(0..<3)))]
        ),
        Row(
            "and memory again",
            after: S.full + [.chunk(S.one), .stored(nil), .readerWaits, .readerWaits],
            .chunk(S.two),
            []
        ),
        Row(
            "what is being stored is not read yet",
            after: S.full + [.readerWaits, .chunk(Data(count: 10)), .chunk(S.one)],
            .readerWaits,
            [.deliver(.chunks([Data(count: 10)]))]
        ),
        Row(
            "stored, it is",
            after: S.full + [.chunk(S.one), .readerWaits, .readerWaits],
            .stored(nil),
            [.deliver(.file(S.region(0..<3)))]
        ),
        Row(
            "more than files are for",
            after: S.full + [.chunk(Data(count: 10)), .stored(nil)],
            .chunk(S.one),
            [.dropStores, .cancelTask]
        ),
        Row(
            "a reader too slow is told",
            after: S.full + [.chunk(Data(count: 11))],
            .readerWaits,
            [.failReader(.readerTooSlow)]
        ),
        Row(
            "a full disk ends it",
            after: S.full + [.chunk(S.one)],
            .stored(S.fullDisk),
            [.dropStores, .cancelTask]
        ),
        Row(
            "a full disk is told",
            after: S.full + [.chunk(S.one), .stored(S.fullDisk)],
            .readerWaits,
            [.failReader(.storage(S.fullDisk))]
        ),
        Row(
            "a full disk after the end too",
            after: S.full + [.chunk(S.one), .readerWaits, .readerWaits, S.done],
            .stored(S.fullDisk),
            [.dropStores, .failReader(.storage(S.fullDisk))]
        ),
        Row(
            "the end waits for what is being stored",
            after: S.full + [.chunk(S.one), .readerWaits, .readerWaits],
            S.done,
            []
        ),
        Row(
            "the reader leaves what is stored",
            after: S.full + [.chunk(S.one), .stored(nil)],
            .readerLeft,
            [.dropStores, .cancelTask]
        ),
        Row(
            "stored after leaving",
            after: S.full + [.chunk(S.one), .readerLeft],
            .stored(nil),
            []
        ),
        Row(
            "not stored after leaving",
            after: S.full + [.chunk(S.one), .readerLeft],
            .stored(S.fullDisk),
            []
        ),
    ]

    static let batches: [RequestStateRow] = [
        Row(
            "a chunk asks for the turn's end",
            after: S.receiving + [.batchEnded, .readerWaits],
            .chunk(S.one),
            [.awaitBatch]
        ),
        Row(
            "which wakes the reader",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one), .chunk(S.two)],
            .batchEnded,
            [.deliver(.chunks([S.one, S.two]))]
        ),
        Row(
            "a second chunk does not ask again",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one)],
            .chunk(S.two),
            []
        ),
        Row(
            "the end wakes with what came",
            after: S.receiving + [.batchEnded, .readerWaits, .chunk(S.one)],
            S.done,
            [.deliver(.chunks([S.one]))]
        ),
        Row(
            "nobody waits, nobody is woken",
            after: S.receiving + [.batchEnded],
            .chunk(S.one),
            []
        ),
    ]

    @Test("has its row's actions for each event", arguments: reading + ending + storing)
    func rows(row: RequestStateRow) {
        #expect(row.actual(waitsForBatches: false) == row.actions)
    }

    @Test("wakes the reader when the engine's batch of callbacks ends", arguments: batches)
    func turnRows(row: RequestStateRow) {
        #expect(row.actual(waitsForBatches: true) == row.actions)
    }
}
