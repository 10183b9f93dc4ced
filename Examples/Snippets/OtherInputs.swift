// A chain that has nothing to do with HTTP.
import InterceptorKit

// snippet.input
struct Job: Interceptable {
    typealias Output = Receipt
    var name: String
}

struct Receipt: Sendable { var text: String }

struct Worker: Transport {
    func send(_ job: Job, call: Call) async throws -> Receipt {
        Receipt(text: "\(job.name), attempt \(call.attempt)")
    }
}

func run(_ job: Job) async throws -> Receipt {
    let pipeline = try Pipeline(transport: Worker()) {
        RetryInterceptor(policy: .standard)
        HookInterceptor(before: { job, _ in job.name = job.name.uppercased() })
    }
    return try await pipeline.run(job)
}
// snippet.end
