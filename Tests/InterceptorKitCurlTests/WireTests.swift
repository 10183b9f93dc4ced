import Expectations
import Foundation
import InterceptorKit
import InterceptorKitEngine
import Testing

@testable import InterceptorKitCurl

@Suite("Wire")
struct WireTests {
    private static let connection = IdleSockets.Connection(
        peer: "192.0.2.1",
        own: "192.0.2.2",
        peerPort: 80,
        ownPort: 40_000
    )

    // Which loads libcurl.
    init() throws { _ = try Library() }

    private func io(sending upload: Upload? = nil) throws -> TransferIO {
        TransferIO(easy: try unwrap(Easy()), fields: nil, upload: upload)
    }

    @Test("lets libcurl start the request once")
    func once() throws {
        let io = try io()
        let kept = IdleSockets()

        expectTrue(io.mayStart(on: Self.connection, among: kept, StreamLimits()))
        expectTrue(!io.isRepetitionRefused)
        expectTrue(!io.mayStart(on: Self.connection, among: kept, StreamLimits()))
        expectTrue(io.isRepetitionRefused)
    }

    @Test("pauses when more waits for the reader than the limit allows")
    func pause() throws {
        let io = try io()

        expectTrue(io.receive(Data(count: 10), limit: 15))
        expectTrue(!io.receive(Data(count: 10), limit: 15))
        let first = io.takeArrivals()
        io.noteUnread(10)
        expectTrue(!io.receive(Data(count: 6), limit: 15))
        expectTrue(io.receive(Data(count: 5), limit: 15))

        expectEqual(first.chunks.map(\.count), [10])
        expectTrue(first.isPaused && io.isReceivingPaused)
        expectEqual(io.takeArrivals().chunks.map(\.count), [5])
    }

    @Test("takes a piece larger than the limit if nothing waits for the reader")
    func largePiece() throws {
        let io = try io()

        expectTrue(io.receive(Data(count: 100), limit: 15))
        expectEqual(io.takeArrivals().chunks.map(\.count), [100])
    }

    @Test("keeps nothing of what arrives after it was stopped")
    func stopped() throws {
        let io = try io()
        io.isStopped = true

        expectTrue(io.receive(Data(count: 100), limit: 15))
        expectTrue(io.takeArrivals().chunks.isEmpty)
    }

    @Test("waits for its peer only from when it is ready until it has to pause")
    func turns() throws {
        let io = try io(sending: Upload(.pipe(UploadPipe(length: nil, limit: 10))))
        io.announcesReady = true
        var turns = [io.isWaitingForPeer]

        _ = io.mayStart(on: Self.connection, among: IdleSockets(), StreamLimits())
        turns.append(io.isWaitingForPeer)
        _ = io.supply()
        turns.append(io.isWaitingForPeer)

        expectEqual(turns, [false, true, false])
        expectTrue(io.isSendingPaused)
    }

    @Test("notes the time of an activity once")
    func activity() throws {
        let io = try io()
        let instants = (1...3).map { Runtime.Instant(offset: .seconds($0)) }

        io.noteActivity(at: instants[0])
        expectEqual(io.lastActivity, Runtime.Instant(offset: .zero))
        _ = io.receive(Data(count: 1), limit: 15)
        io.noteActivity(at: instants[1])
        io.noteActivity(at: instants[2])

        expectEqual(io.lastActivity, instants[1])
    }
}

extension TransferIO {
    fileprivate func receive(_ data: Data, limit: Int) -> Bool {
        unsafe data.withUnsafeBytes { unsafe receive($0, limit: limit) }
    }

    fileprivate func supply() -> Int {
        var bytes = [UInt8](repeating: 0, count: 10)
        return unsafe bytes.withUnsafeMutableBytes { unsafe supply($0) }
    }
}
