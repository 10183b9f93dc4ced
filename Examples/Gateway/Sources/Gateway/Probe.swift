import Foundation
import InterceptorKit
import InterceptorKitCurl

/// A count of a service behind, and what it is to become.
struct Wait {
    let upstream: String
    let count: String
    /// Of all that were counted.
    let least: Int
    /// Above what was counted when the wait began.
    let more: Int
}

/// Asks a gateway how it is, and watches it end.
struct Probe {
    let client: HTTP.Client

    init(_ origin: HTTP.Origin) throws {
        client = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(30)) {
            BaseURLInterceptor("\(origin)")
        }
    }

    func status() async throws -> Board.Summary {
        try await client.send(.get("/health")).decode(Board.Summary.self)
    }

    func line() async throws -> String {
        let status = try await status()
        let parts = status.upstreams.sorted { $0.key < $1.key }.map { name, upstream in
            let counts = upstream.counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(name) \(upstream.breaker) \(counts.joined(separator: " "))"
        }
        return "\(status.status): \(parts.joined(separator: ", "))"
    }

    /// Says whether a count came to what it is to become before the time was over.
    func wait(_ wait: Wait, seconds: Int) async throws -> Bool {
        let runtime = Runtime.live
        let end = runtime.now.advanced(by: .seconds(seconds))
        var goal: Int?
        while runtime.now < end {
            if let count = try? await status().upstreams[wait.upstream]?.counts[wait.count] {
                let known = goal ?? max(wait.least, wait.more == 0 ? 0 : count + wait.more)
                if count >= known { return true }
                goal = known
            }
            try await runtime.sleep(for: .milliseconds(20))
        }
        return false
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
