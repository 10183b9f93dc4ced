#if Hummingbird
import NIOCore
import NIOPosix
import Testing

@testable import InterceptorKitHummingbird

@Suite(.timeLimit(.minutes(2)))
struct DeparturesTests {
    @Test("watches a connection once for all its requests")
    func connection() async throws {
        try await withConnection { channel in
            let departures = Departures()

            let first = await departures.departure(of: channel)
            let second = await departures.departure(of: channel)

            #expect(first === second)
        }
    }

    @Test("calls the current watchers, not ended ones, when a connection closes")
    func end() async throws {
        try await withConnection { channel in
            let (watched, ended) = (Notes<Void>(), Notes<Void>())
            let departure = await Departures().departure(of: channel)
            let watch = departure.onGone { ended.note(()) }
            _ = departure.onGone { watched.note(()) }

            watch.end()
            try await channel.close()

            await watched.wait()
            #expect(ended.entries.isEmpty)
        }
    }

    @Test("calls a watcher at once on a connection that has closed")
    func late() async throws {
        try await withConnection { channel in
            let gone = Notes<String>()
            let departures = Departures()
            let departure = await departures.departure(of: channel)
            _ = departure.onGone { gone.note("watched") }
            try await channel.close()
            await gone.wait()

            _ = departure.onGone { gone.note("late") }
            _ = await departures.departure(of: channel).onGone { gone.note("anew") }

            #expect(gone.entries == ["watched", "late", "anew"])
        }
    }

    @Test("keeps nothing of a connection that has closed")
    func nothing() async throws {
        try await withConnection { channel in
            let departures = Departures()
            weak let departure = await departures.departure(of: channel)
            #expect(departure != nil)

            try await channel.close()
            try await channel.closeFuture.get()
            try await channel.eventLoop.submit {}.get()

            #expect(departure == nil)
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
