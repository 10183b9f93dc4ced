import InterceptorKitCore
import InterceptorKitTesting

/// A chain without HTTP: jobs of a print shop, with the same retry, time limit, breaker and hooks.
@main
struct GenericChain {
    static func main() throws {
        // In virtual time, so that nobody waits for it.
        try Simulation.run { simulation in
            let press = Press()
            let shop = try Pipeline(transport: press, runtime: simulation.runtime) {
                FallbackInterceptor<PrintJob>(classifier: .standard) { outcome, _ in
                    outcome.input.isUrgent ? nil : Receipt(text: "queued for tomorrow")
                }
                RetryInterceptor<PrintJob>(policy: .standard)
                CircuitBreakerInterceptor<PrintJob>()
                TimeoutInterceptor<PrintJob>(attempt: .seconds(5))
                HookInterceptor<PrintJob>(
                    before: { job, _ in job.title = job.title.uppercased() },
                    after: { receipt, job, call in receipt.text += ", attempt \(call.attempt)" }
                )
            }
            print(shop)

            print("\n1. The press jams twice.")
            await press.jam(times: 2)
            print("   \(try await shop.run(PrintJob(title: "menu")).text)")

            print("2. It hangs: the attempt's time is over, the next one succeeds.")
            await press.hang()
            print("   \(try await shop.run(PrintJob(title: "poster")).text)")

            print("3. It jams for good: what can wait is queued, what is urgent fails.")
            await press.jam(times: .max)
            print("   \(try await shop.run(PrintJob(title: "flyer")).text)")
            do {
                _ = try await shop.run(PrintJob(title: "ticket", isUrgent: true))
            } catch {
                print("   \(error)")
            }
        }
    }
}

/// What travels; a type says what happens to it.
struct PrintJob: Interceptable {
    typealias Output = Receipt
    var title: String
    var isUrgent = false
}

struct Receipt: Sendable { var text: String }

struct PaperJam: Error, CustomStringConvertible {
    let description = "The press is jammed."
}

/// Where the chain ends.
actor Press: Transport {
    private var jams = 0
    private var hangs = false

    func jam(times: Int) { jams = times }
    func hang() { hangs = true }

    nonisolated func send(_ job: PrintJob, call: Call) async throws -> Receipt {
        if try await takesLong() { try await call.runtime.sleep(for: .seconds(60)) }
        return Receipt(text: "printed \(job.title)")
    }

    private func takesLong() throws -> Bool {
        if jams > 0 {
            jams -= 1
            throw PaperJam()
        }
        defer { hangs = false }
        return hangs
    }
}
