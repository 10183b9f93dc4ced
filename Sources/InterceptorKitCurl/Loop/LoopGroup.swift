#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The loops of a transport: the first for a few transfers, and for what shares connections; the others for more,
/// as far as there are processors, and for what has to have a connection of its own.
final class LoopGroup: Sendable {
    let loops: [EventLoop]

    // From how many transfers on a second thread is worth the connections that it does not share.
    private static let fewTransfers = 16
    private static let maximumLoops = 4
    // The fewest connections to a host that a third loop can do with.
    private static let fewestConnections = 16

    // From how many transfers on the first loop's connections are not enough, or its thread.
    private let manyTransfers: Int

    init(_ configuration: Configuration) {
        let settings = configuration.settings
        let connections = min(settings.maximumConnectionsPerHost, settings.maximumConnections)
        let count = min(
            max(ProcessInfo.processInfo.activeProcessorCount, 2),
            Self.maximumLoops,
            max(connections / Self.fewestConnections, 2)
        )
        loops = (0..<count).map { index in
            EventLoop(configuration, connectionShare: count, isMultiplexed: index == 0)
        }
        manyTransfers = connections < count ? Int.max : min(connections / count, Self.fewTransfers)
    }

    /// Chooses the loop for a transfer and counts it there, so that those that are chosen at once see each other.
    ///
    /// A response may come before the request's end where the body is sent in pieces. Where such requests share a
    /// connection over HTTP/2, libcurl then drops responses (of 8 at once, 7.88 every second one, 8.22 one in a
    /// hundred) or corrupts memory (8.14).
    /// - Parameters:
    ///   - sharesConnection: Whether it may share a connection with others, as over HTTP/2.
    ///   - uploads: Whether its body is sent in pieces.
    /// - Returns: The loop, whose ``EventLoop/release(_:)`` is called when the transfer is over, or never starts.
    func reserve(sharesConnection: Bool, uploads: Bool) -> EventLoop {
        // Another choice came between, for as many times as there may be loops: both count all the same.
        for _ in 0..<Self.maximumLoops {
            let (loop, count) = choice(sharesConnection: sharesConnection, uploads: uploads)
            if loop.reserve(after: count) { return loop }
        }
        let (loop, _) = choice(sharesConnection: sharesConnection, uploads: uploads)
        loop.reserve()
        return loop
    }

    private func choice(sharesConnection: Bool, uploads: Bool) -> (loop: EventLoop, count: Int) {
        let first = (loop: loops[0], count: loops[0].reservedCount)
        if sharesConnection, !uploads { return first }
        let quietest =
            loops.dropFirst().map { (loop: $0, count: $0.reservedCount) }
            .min { $0.count < $1.count } ?? first
        if sharesConnection { return quietest }
        return first.count >= manyTransfers && quietest.count < first.count ? quietest : first
    }

    /// The transfers not over yet.
    var liveCount: Int { loops.reduce(0) { $0 + $1.liveCount } }

    /// Whether nothing can be started any more.
    var isClosed: Bool { loops[0].isClosed }

    /// Lets what is under way end, then ends the threads.
    func retire() { for loop in loops { loop.retire() } }

    /// Ends what is under way and refuses what comes.
    func close() { for loop in loops { loop.close() } }

    /// Returns when nothing is under way.
    func idle() async { for loop in loops { await loop.idle() } }
}
