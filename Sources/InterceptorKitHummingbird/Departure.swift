#if Hummingbird
import InterceptorKit
import NIOCore

/// Notices that the caller closed its connection, also while nothing is read from or written to it.
struct Departure: Sendable {
    /// Something to be done then, until it is ended.
    struct Watch: Sendable {
        fileprivate let channel: any Channel
        fileprivate let id: ObjectIdentifier
        fileprivate let token: Token

        func end() {
            let (channel, id) = (channel, id)
            channel.eventLoop.execute {
                DepartureHandler.existing(in: channel)?.actions[id] = nil
            }
        }
    }

    fileprivate final class Token: Sendable {}

    private let channel: any Channel

    init(of channel: any Channel) { self.channel = channel }

    /// Does something when the caller goes.
    func onGone(_ action: @escaping @Sendable () -> Void) -> Watch {
        let token = Token()
        let id = ObjectIdentifier(token)
        channel.eventLoop.execute { [channel] in
            DepartureHandler.watching(channel)?.note(action, as: id)
        }
        return Watch(channel: channel, id: id, token: token)
    }
}

extension Departure? {
    /// Does work that is cancelled when the caller goes.
    func untilGone<Success: Sendable>(
        _ work: @escaping @Sendable () async throws -> Success
    ) async -> Result<Success, any Error> {
        guard let self else { return await Result(catching: work) }
        let (gone, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = self.onGone { continuation.finish() }
        defer { watch.end() }
        return await withTaskGroup(of: Result<Success, any Error>?.self) { group in
            group.addTask { await Result(catching: work) }
            group.addTask {
                for await _ in gone {}
                return nil
            }
            // What was there first counts; work that is cancelled says itself how it ended.
            var result: Result<Success, any Error> = .failure(CancellationError())
            for await finding in group {
                if let finding { result = finding }
                group.cancelAll()
            }
            return result
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

/// Sees a connection end, for all requests on it. Lives on the connection's event loop.
private final class DepartureHandler: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    private var isGone = false

    static func existing(in channel: any Channel) -> DepartureHandler? {
        try? channel.pipeline.syncOperations.handler(type: DepartureHandler.self)
    }

    static func watching(_ channel: any Channel) -> DepartureHandler? {
        if let existing = existing(in: channel) { return existing }
        let handler = DepartureHandler()
        do {
            try channel.pipeline.syncOperations.addHandler(handler, position: .first)
            return handler
        } catch {
            return nil
        }
    }

    func note(_ action: @escaping @Sendable () -> Void, as id: ObjectIdentifier) {
        if isGone { action() } else { actions[id] = action }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { leave() }
        context.fireUserInboundEventTriggered(event)
    }

    private func leave() {
        isGone = true
        let due = actions.values
        actions = [:]
        for action in due { action() }
    }
}
#endif
