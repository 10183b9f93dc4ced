#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The loops of a transport: one for a few transfers, more for many, as far as there are processors.
final class LoopGroup: Sendable {
    /// The first one is used alone while it has few transfers, so that connections are used again.
    let loops: [EventLoop]

    // From how many transfers on a second thread is worth the connections that it does not share.
    private static let fewTransfers = 16
    private static let maximumLoops = 4
    // The fewest connections to a host that a loop can do with.
    private static let fewestConnections = 16

    init(_ configuration: Configuration) {
        let settings = configuration.settings
        let connections = min(settings.maximumConnectionsPerHost, settings.maximumConnections)
        let count = min(
            ProcessInfo.processInfo.activeProcessorCount,
            Self.maximumLoops,
            connections / Self.fewestConnections
        )
        let share = max(1, count)
        loops = (0..<share).map { _ in EventLoop(configuration, connectionShare: share) }
    }

    /// The loop for the next transfer.
    /// - Parameter sharesConnection: Whether it may share a connection with others, as over HTTP/2. Those stay
    ///   on one loop.
    func next(sharesConnection: Bool) -> EventLoop {
        let first = loops[0]
        guard loops.count > 1, !sharesConnection else { return first }
        var (best, fewest) = (first, first.liveCount)
        guard fewest >= Self.fewTransfers else { return first }
        for loop in loops.dropFirst() {
            let count = loop.liveCount
            if count < fewest { (best, fewest) = (loop, count) }
        }
        return best
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
