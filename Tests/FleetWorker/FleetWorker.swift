// Empty until the trait is switched on, like the tests that start it.
#if Redis
import Foundation
import InterceptorKit
import InterceptorKitRedis
import InterceptorKitSharedState

/// One process of a fleet that shares a rate limit: offers calls at a rate, and reports what became of them.
@main
struct FleetWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 6, arguments[0] == "limit" else {
            print("usage: FleetWorker limit URL COUNT/BURST/REPLICAS START OFFERED SECONDS")
            exit(2)
        }
        let numbers = arguments[2].split(separator: "/").compactMap { Int($0) }
        let quota = RateLimitQuota(numbers[0], burst: numbers[1])
        let offer = Offer(
            start: Date(timeIntervalSince1970: Double(arguments[3]) ?? 0),
            rate: Double(arguments[4]) ?? 1,
            seconds: Double(arguments[5]) ?? 1
        )
        let client = try RedisClient(arguments[1])
        let pipeline = try Pipeline<HTTP.Request>(transport: Admitted()) {
            SharedRateLimitInterceptor<HTTP.Request>(
                RedisRateLimitStore(client),
                quota: quota,
                whenUnavailable: .local(replicas: numbers[2])
            ) { _, _ in "fleet" }
        }
        print(await offer.run(pipeline))
        client.close()
    }
}

/// The end of the chain, which only admitted calls reach.
private struct Admitted: Transport {
    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        HTTP.Response(200)
    }
}

/// Calls at even distances, each at its time whatever became of the ones before.
private struct Offer {
    let start: Date
    let rate: Double
    let seconds: Double

    private enum Outcome: Sendable {
        /// At that time in seconds since 1970.
        case admitted(Double)
        case refused(Double)
        case failed
    }

    /// - Returns: How many calls were refused, and how many failed; when the first and the last were made; and when
    ///   each was refused, and each of the others admitted, in seconds since 1970.
    func run(_ pipeline: Pipeline<HTTP.Request>) async -> String {
        let runtime = Runtime.live
        let phase = runtime.randomFraction()
        let distance = 1 / rate
        var made: [Double] = []
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for number in 0..<Int(rate * seconds) {
                let date = start.addingTimeInterval((Double(number) + phase) * distance)
                try? await runtime.sleep(for: .seconds(date.timeIntervalSince(runtime.date)))
                made.append(runtime.date.timeIntervalSince1970)
                group.addTask { await outcome(of: pipeline) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var failed = 0
        var refusals: [Double] = []
        var admissions: [Double] = []
        for outcome in outcomes {
            switch outcome {
            case .admitted(let time): admissions.append(time)
            case .refused(let time): refusals.append(time)
            case .failed: failed += 1
            }
        }
        let times = [made.first ?? 0, made.last ?? 0] + refusals + admissions
        return "\(refusals.count) \(failed) " + times.map { "\($0)" }.joined(separator: " ")
    }

    private func outcome(of pipeline: Pipeline<HTTP.Request>) async -> Outcome {
        do {
            _ = try await pipeline.run(.get("https://fleet.example.com/"))
            return .admitted(Runtime.live.date.timeIntervalSince1970)
        } catch LimitError.Code.rate {
            return .refused(Runtime.live.date.timeIntervalSince1970)
        } catch {
            return .failed
        }
    }
}
#else
@main
struct FleetWorker {
    static func main() {}
}
#endif
