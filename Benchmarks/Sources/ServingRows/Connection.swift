public import NIOCore
import NIOPosix

/// A connection on which nothing happens.
public enum Connection {
    /// Opens it for as long as it is used.
    public static func open<Result>(
        _ use: (any Channel) async throws -> Result
    ) async throws -> Result {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let channel = try await ClientBootstrap(group: group)
            .connect(host: "127.0.0.1", port: server.localAddress?.port ?? 0).get()
        let result = try await use(channel)
        try await channel.close()
        try await server.close()
        return result
    }
}
