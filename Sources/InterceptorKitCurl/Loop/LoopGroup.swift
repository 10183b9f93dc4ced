#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The loops of a transport, which run the tasks that prefer them.
///
/// The first serves small numbers of transfers and those that share connections; the others, as far as there are
/// processors, serve more, and those that need a connection of their own. A task runs where it was resumed, which is
/// where its transfer ended, and its transfers begin where it runs.
final class LoopGroup: TaskExecutor {
    let loops: [EventLoop]

    // The number of transfers from which a second thread is worth connections that it cannot share.
    private static let fewTransfers = 16
    private static let maximumLoops = 4
    // The fewest connections to a host that justify a third loop.
    private static let fewestConnections = 16

    // The number of transfers from which the first loop lacks connections, or thread time.
    private let manyTransfers: Int

    /// - Parameter report: Called with the time for which a job has held a thread for long.
    init(_ configuration: Configuration, reporting report: (@Sendable (Duration) -> Void)? = nil) {
        let settings = configuration.settings
        let connections = min(settings.maximumConnectionsPerHost, settings.maximumConnections)
        let count = min(
            max(ProcessInfo.processInfo.activeProcessorCount, 2),
            Self.maximumLoops,
            max(connections / Self.fewestConnections, 2)
        )
        loops = (0..<count).map { index in
            EventLoop(
                configuration,
                connectionShare: count,
                isMultiplexed: index == 0,
                onLongJob: report
            )
        }
        manyTransfers = connections < count ? Int.max : min(connections / count, Self.fewTransfers)
    }

    /// Chooses the loop for a transfer and counts it there, so that concurrent choices take account of each other.
    ///
    /// When a body is sent in pieces, the response may come before the request's end. If such requests share a
    /// connection over HTTP/2, libcurl drops responses (of 8 at once, 7.88 every second one, 8.22 one in a hundred) or
    /// corrupts memory (8.14).
    /// - Parameters:
    ///   - sharesConnection: Whether the transfer may share a connection with others, as over HTTP/2.
    ///   - uploads: Whether the body is sent in pieces.
    /// - Returns: The loop, whose ``EventLoop/release(_:)`` is called when the transfer is over, or never starts.
    func reserve(sharesConnection: Bool, uploads: Bool) -> EventLoop {
        // A concurrent choice invalidates the count. After these tries the transfer is counted regardless.
        for _ in 0..<Self.maximumLoops {
            let (loop, count) = choice(sharesConnection: sharesConnection, uploads: uploads)
            if loop.reserve(after: count) { return loop }
        }
        let (loop, _) = choice(sharesConnection: sharesConnection, uploads: uploads)
        loop.reserve()
        return loop
    }

    private func choice(sharesConnection: Bool, uploads: Bool) -> (loop: EventLoop, count: Int) {
        let first = sharesConnection ? loops[0] : current ?? loops[0]
        let firstCount = first.reservedCount
        if uploads || !sharesConnection, sharesConnection || firstCount >= manyTransfers {
            let (quietest, count) = quietest(except: first)
            if sharesConnection || count < firstCount { return (quietest, count) }
        }
        return (first, firstCount)
    }

    // The loop whose thread is the calling one.
    private var current: EventLoop? { loops.first { $0.isCurrent } }

    private func quietest(except other: EventLoop) -> (loop: EventLoop, count: Int) {
        var quietest = (loop: loops[0], count: Int.max)
        for loop in loops where loop !== other {
            let count = loop.reservedCount
            if count < quietest.count { quietest = (loop, count) }
        }
        return quietest
    }

    // The loop where a job from elsewhere waits behind the fewest.
    private var shortest: EventLoop {
        var shortest = (loop: loops[0], length: Int.max)
        for loop in loops where loop.mayRunJobs {
            let length = loop.queueLength
            if length < shortest.length { shortest = (loop, length) }
        }
        return shortest.loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = JobQueue.Job(job, on: self)
        if (current ?? shortest).enqueue(job) { return }
        // A task outlasts a closed transport, and goes on as one without a preference.
        job.runElsewhere()
    }

    var liveCount: Int { loops.reduce(0) { $0 + $1.liveCount } }

    var isClosed: Bool { loops[0].isClosed }

    func retire() { for loop in loops { loop.retire() } }

    func close() { for loop in loops { loop.close() } }

    func idle() async { for loop in loops { await loop.idle() } }
}
