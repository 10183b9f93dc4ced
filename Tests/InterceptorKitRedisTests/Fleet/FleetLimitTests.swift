#if Redis
import Expectations
import BoundedWaits
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitRedis

@Suite(
    "RedisRateLimitStore, shared by a fleet",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.reason)),
    .enabled(if: LimitedFleet.isBuilt, "the worker's program was not built"),
    .timeLimit(.minutes(10))
)
struct FleetLimitTests {
    private static let count = 400
    private static let burst = 100

    private func fleet(_ server: RedisServer) -> LimitedFleet {
        LimitedFleet(url: server.url, processes: 8, count: Self.count, burst: Self.burst)
    }

    @Test("8 processes get the limit of what they offer, and all below it")
    func limit() async throws {
        let server = try await RedisServer()
        let fleet = fleet(server)

        let above = try await fleet.offer(1.5, for: 6)
        let below = try await fleet.offer(0.9, for: 6)

        // 1.5 times the limit has used the burst up after half a second.
        let admitted = above.rate(after: 1.5) / Double(Self.count)
        let refused = Double(below.refusals.count) / Double(below.offered)
        let shares = [admitted, refused].map { String(format: "%.4f", $0) }
        print("fleet limit: admitted \(shares[0]) of the limit at 1.5, refused \(shares[1]) at 0.9")
        expectEqual(above.failed + below.failed, 0)
        let most = Double(Self.burst) + Double(Self.count) * above.seconds
        expectTrue(Double(above.admissions.count) <= most)
        // Beside a bucket that sees the same calls when they were answered, so that a machine that stands still for a
        // moment, or connects late, offers both the same.
        expectTrue(Double(above.admissions.count) >= 0.99 * Double(modelAdmissions(of: above)))
        let modelRefused =
            below.admissions.count + below.refusals.count - modelAdmissions(of: below)
        expectTrue(
            Double(below.refusals.count - modelRefused) <= 0.001 * Double(below.offered)
        )
    }

    /// What one token bucket of the same limit admits of calls at the instants of a fleet's answers.
    private func modelAdmissions(of result: LimitedFleet.Result) -> Int {
        var tokens = Double(Self.burst)
        var last = -Double.infinity
        return (result.admissions + result.refusals).sorted().count { instant in
            tokens = min(Double(Self.burst), tokens + Double(Self.count) * (instant - last))
            last = instant
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }

    @Test("a restart without data admits no more than a burst of each kind")
    func restart() async throws {
        let server = try await RedisServer()
        let fleet = fleet(server)

        let observer = try server.client()

        async let offered = fleet.offer(1.5, for: 4)
        // In the middle of it.
        let isUnderway = try await eventually(attempts: 1500) {
            let info = try await observer.run(
                RedisCommand("INFO", ["commandstats"]),
                isRepeatable: true
            )
            return try info.value.calls(of: "evalsha") > 1000
        }
        try await server.restart()
        let result = try await offered

        expectTrue(isUnderway)
        // The burst of the limit, of the limit after the loss, and of the local limits meanwhile.
        let bound = Double(Self.count) * result.seconds + Double(3 * Self.burst)
        expectTrue(Double(result.admissions.count) <= bound)
        expectTrue(Double(result.admissions.count) >= Double(Self.count) * result.seconds * 0.8)
        expectEqual(result.failed, 0)
    }
}

extension RESPValue {
    /// The calls of a command, in the server's statistics.
    fileprivate func calls(of command: String) throws -> Int {
        let line = try unwrap(string).split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("cmdstat_\(command):calls=") }
        return line.flatMap { Int($0.split(separator: "=")[1].prefix { $0.isNumber }) } ?? 0
    }
}
#endif
