import Foundation
import InterceptorKit
import InterceptorKitCurl

/// Asks a gateway how it is, and watches it end.
struct Probe {
    private let client: HTTP.Client

    init(_ origin: HTTP.Origin) throws {
        client = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(10)) {
            BaseURLInterceptor("\(origin)")
        }
    }

    func status() async throws -> Board.Summary {
        try await client.send(.get("/health")).decode(Board.Summary.self)
    }

    func line() async throws -> String {
        let status = try await status()
        let parts = status.upstreams.sorted { $0.key < $1.key }.map { name, upstream in
            "\(name) \(upstream.breaker) opened=\(upstream.opened) closed=\(upstream.closed)"
        }
        return "\(status.status): \(parts.joined(separator: ", "))"
    }

    /// Has slow requests under way when the process is told to end, and says whether each was answered.
    func drain(_ count: Int, of process: pid_t) async throws -> Bool {
        let client = client
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask { (try? await client.send(.get("/slow")).status) == 200 }
            }
            while try await status().serving < count {
                try await Runtime.live.sleep(for: .milliseconds(20))
            }
            kill(process, SIGTERM)
            let answered = try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            print("drain: \(answered) of \(count) requests under way at SIGTERM were answered")
            return answered == count
        }
    }
}
