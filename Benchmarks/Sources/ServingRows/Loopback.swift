import Hummingbird
public import InterceptorKit
import InterceptorKitCurl
import Logging
import Reporting

/// Each service on a port of its own, and a client for all.
public struct Loopback: Sendable {
    private let transport: CurlTransport
    private let requests: [HTTP.Request]

    /// Starts the services, and ends them when the work is done.
    public static func serving<Result: Sendable>(
        _ services: [Service],
        _ fields: HTTP.Headers,
        _ use: @escaping @Sendable (Loopback) async throws -> Result
    ) async throws -> Result {
        var logger = Logger(label: "serving")
        logger.logLevel = .critical
        return try await withThrowingTaskGroup(of: Void.self) { group in
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
            let result = try await use(Loopback(transport: transport, requests: requests))
            group.cancelAll()
            return result
        }
    }

    /// Sends a number of requests, one after the other, to one of the services.
    /// - Returns: That number.
    public func run(_ index: Int, _ count: Int) async throws -> Int {
        for _ in 0..<count {
            let response = try await transport.send(requests[index], call: Call())
            guard response.status == 200, try await response.body.collect().count == 13 else {
                throw WrongStatus(status: response.status)
            }
        }
        return count
    }

    /// Measures every service with these numbers of requests at once, all in turns.
    public func throughput(atOnce counts: [Int], rounds: Int) async throws -> Throughput {
        var figures = requests.map { _ in counts.map { _ in [Double]() } }
        for _ in 0..<rounds {
            for index in requests.indices {
                for (column, count) in counts.enumerated() {
                    figures[index][column] += try await Contention.throughput(
                        tasks: [count],
                        rounds: 1
                    ) { try await run(index, $0) }
                }
            }
        }
        return Throughput(figures: figures)
    }
}

private struct WrongStatus: Error {
    let status: HTTP.Status
}
