#if Hummingbird
import InterceptorKit
import InterceptorKitConcurrency
import NIOCore
import Synchronization

/// The connections of the requests that a middleware serves, each watched by one handler as long as it is
/// open.
final class Departures: Sendable {
    private let known = Lock([ObjectIdentifier: Departure]())

    /// The departure of the caller at the other end of a connection, watched when this returns.
    func departure(of channel: any Channel) async -> Departure {
        let id = ObjectIdentifier(channel)
        let (departure, isNew) = known.withLock { known in
            if let departure = known[id] { return (departure, false) }
            let departure = Departure()
            known[id] = departure
            return (departure, true)
        }
        guard isNew else { return departure }
        do {
            let added = channel.eventLoop.submit {
                let handler = DepartureHandler(departure) { self.forget(id) }
                try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            }
            try await added.get()
        } catch {
            // A connection that takes no handler is closed.
            departure.happen()
            forget(id)
        }
        return departure
    }

    private func forget(_ id: ObjectIdentifier) {
        known.withLock { $0[id] = nil }
    }
}

/// That a caller closes its connection, noticed also while nothing is read from or written to it.
final class Departure: Sendable {
    /// Something to be done then, until it is ended.
    struct Watch: Sendable {
        fileprivate let departure: Departure
        fileprivate let number: Int

        func end() {
            departure.state.withLock { $0.actions[number] = nil }
        }
    }

    private struct State {
        var actions: [Int: @Sendable () -> Void] = [:]
        var count = 0
        var hasHappened = false
    }

    private let state = Lock(State())

    /// Does something when the caller goes; at once if it has gone.
    func onGone(_ action: @escaping @Sendable () -> Void) -> Watch {
        let (number, hasHappened) = state.withLock { state in
            state.count += 1
            if !state.hasHappened { state.actions[state.count] = action }
            return (state.count, state.hasHappened)
        }
        if hasHappened { action() }
        return Watch(departure: self, number: number)
    }

    fileprivate func happen() {
        let due = state.withLock { state in
            state.hasHappened = true
            defer { state.actions = [:] }
            return state.actions.values
        }
        for action in due { action() }
    }
}

extension Departure? {
    /// Does work that is cancelled when the caller goes.
    func untilGone<Success: Sendable>(
        _ work: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, any Error> {
        guard let self else { return await Result(catching: work) }
        let task = Task(beginningHere: work)
        let watch = self.onGone { task.cancel() }
        defer { watch.end() }
        return await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }
}

extension Task where Failure == any Error {
    /// Begins work on the current thread where the system can, which saves the wait for another.
    fileprivate init(beginningHere work: @escaping @Sendable () async throws -> Success) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self = .immediate { try await work() }
        } else {
            self.init { try await work() }
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(catching work: @Sendable () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}

/// Sees a connection end.
private final class DepartureHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private let departure: Departure
    private let forget: () -> Void

    init(_ departure: Departure, forget: @escaping () -> Void) {
        self.departure = departure
        self.forget = forget
    }

    func channelInactive(context: ChannelHandlerContext) {
        departure.happen()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { departure.happen() }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { forget() }
}
#endif
