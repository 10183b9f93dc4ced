import Hummingbird
import InterceptorKit
import InterceptorKitCurl
import Logging
import NIOCore
import NIOPosix

/// Each service on a port of its own, and a client for all.
struct Loopback: Sendable {
    private let transport: CurlTransport
    private let requests: [HTTP.Request]

    static func serving(
        _ services: [Service],
        _ fields: HTTP.Headers,
        _ use: @escaping @Sendable (Loopback) async throws -> Void
    ) async throws {
        var logger = Logger(label: "serving")
        logger.logLevel = .critical
        try await withThrowingTaskGroup(of: Void.self) { group in
            var requests: [HTTP.Request] = []
            for service in services {
                let (ports, port) = AsyncStream.makeStream(of: Int.self)
                let application = Application(
                    router: try service.complete(),
                    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { channel in
                        port.yield(channel.localAddress?.port ?? 0)
                    },
                    logger: logger
                )
                group.addTask { try await application.run() }
                for await found in ports {
                    requests.append(.get("http://127.0.0.1:\(found)/orders", headers: fields))
                    break
                }
            }
            var settings = CurlTransport.Settings()
            settings.proxy = .none
            let transport = try CurlTransport(settings: settings)
            try await use(Loopback(transport: transport, requests: requests))
            group.cancelAll()
        }
    }

    func run(_ index: Int, _ count: Int) async throws -> Int {
        for _ in 0..<count {
            let response = try await transport.send(requests[index], call: Call())
            guard response.status == 200, try await response.body.collect().count == 13 else {
                throw WrongStatus(status: response.status)
            }
        }
        return count
    }
}

/// A connection on which nothing happens.
enum Connection {
    static func open(_ use: (any Channel) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let channel = try await ClientBootstrap(group: group)
            .connect(host: "127.0.0.1", port: server.localAddress?.port ?? 0).get()
        try await use(channel)
        try await channel.close()
        try await server.close()
    }
}

private struct WrongStatus: Error {
    let status: HTTP.Status
}
