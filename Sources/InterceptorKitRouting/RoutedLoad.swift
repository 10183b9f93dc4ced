import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's request on its way through a route. It performs the actions of its ``DeliveryState``.
final class RoutedLoad: Sendable {
    enum Delivery: Sendable {
        case head(HTTPURLResponse)
        case chunk(Data)
        case finished
        case failed(URLError)
    }

    /// The ways to reach the session's queue; each ends with its event.
    struct Queue: Sendable {
        var call: @Sendable (RoutedLoad) -> Void
        var drain: @Sendable (RoutedLoad) -> Void
    }

    private struct Contents {
        var state = DeliveryState<Delivery>()
        var queue: Queue?
        var chain: Task<Void, Never>?
        var producer: CheckedContinuation<Void, Never>?
    }

    private let contents: Lock<Contents>

    init(_ queue: Queue) { contents = Lock(Contents(queue: queue)) }

    /// - Parameters:
    ///   - begin: Starts the producer; called at most once.
    ///   - deliver: Makes deliveries; called only on the session's queue, during `.entered`.
    func handle(
        _ event: DeliveryState<Delivery>.Event,
        begin: () -> Task<Void, Never>? = { nil },
        deliver: ([Delivery]) -> Void = { _ in }
    ) {
        let (actions, queue) = contents.withLock { ($0.state.handle(event), $0.queue) }
        for action in actions {
            switch action {
            case .begin: own(begin())
            case .callQueue: queue?.call(self)
            case .drainQueue: queue?.drain(self)
            case .deliver(let deliveries): deliver(deliveries)
            case .acknowledge: contents.withLock { $0.producer.take() }?.resume()
            case .end: end()
            }
        }
    }

    /// Hands deliveries over, and returns once they are made or never will be.
    func produce(_ deliveries: [Delivery], isLast: Bool = false) async throws {
        await withCheckedContinuation { continuation in
            contents.withLock { $0.producer = continuation }
            handle(.produced(deliveries, isLast: isLast))
        }
        try Task.checkCancellation()
    }

    private func own(_ chain: Task<Void, Never>?) { contents.withLock { $0.chain = chain } }

    private func end() {
        let chain = contents.withLock { contents in
            contents.queue = nil
            return contents.chain.take()
        }
        // On another queue, because the cancelled work may wait for the current queue, as URLSession's own calls do on
        // Linux.
        if let chain { DispatchQueue.global().async { chain.cancel() } }
    }
}
