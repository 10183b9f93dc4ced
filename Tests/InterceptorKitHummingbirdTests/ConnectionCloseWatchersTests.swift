#if Hummingbird
import Expectations
import NIOCore
import NIOPosix
import Testing

@testable import InterceptorKitHummingbird

@Suite(.timeLimit(.minutes(10)))
struct ConnectionCloseWatchersTests {
    @Test("watches a connection once for all its requests")
    func connection() async throws {
        try await withConnection { channel in
            let closeWatchers = ConnectionCloseWatchers()

            let first = await closeWatchers.closeWatcher(of: channel)
            let second = await closeWatchers.closeWatcher(of: channel)

            expectTrue(first === second)
        }
    }

    @Test("calls the current watchers, not ended ones, when a connection closes")
    func end() async throws {
        try await withConnection { channel in
            let (watched, ended) = (Notes<Void>(), Notes<Void>())
            let closeWatcher = await ConnectionCloseWatchers().closeWatcher(of: channel)
            let watch = closeWatcher.onClose { ended.note(()) }
            _ = closeWatcher.onClose { watched.note(()) }

            watch.end()
            try await channel.close()

            await watched.wait()
            expectTrue(ended.entries.isEmpty)
        }
    }

    @Test("calls a watcher at once on a connection that has closed")
    func late() async throws {
        try await withConnection { channel in
            let gone = Notes<String>()
            let closeWatchers = ConnectionCloseWatchers()
            let closeWatcher = await closeWatchers.closeWatcher(of: channel)
            _ = closeWatcher.onClose { gone.note("watched") }
            try await channel.close()
            await gone.wait()

            _ = closeWatcher.onClose { gone.note("late") }
            _ = await closeWatchers.closeWatcher(of: channel).onClose { gone.note("again") }

            expectEqual(gone.entries, ["watched", "late", "again"])
        }
    }

    @Test("keeps nothing of a connection that has closed")
    func nothing() async throws {
        try await withConnection { channel in
            let closeWatchers = ConnectionCloseWatchers()
            weak let closeWatcher = await closeWatchers.closeWatcher(of: channel)
            expectTrue(closeWatcher != nil)

            try await channel.close()
            try await channel.closeFuture.get()
            try await channel.eventLoop.submit {}.get()

            expectTrue(closeWatcher == nil)
        }
    }
}

private func withConnection(_ use: (any Channel) async throws -> Void) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    let channel = try await ClientBootstrap(group: group)
        .connect(host: "127.0.0.1", port: server.localAddress?.port ?? 0).get()
    try await use(channel)
    try? await channel.close()
    try await server.close()
}
#endif
