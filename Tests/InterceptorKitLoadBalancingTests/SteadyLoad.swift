import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitLoadBalancing
import InterceptorKitTesting
import Synchronization

/// What became of the calls of a load, and how many sends went where.
struct LoadResult: Sendable {
    var failures: [String] = []
    var latencies: [Duration] = []
    /// Host and instant of each send.
    var sends: [(host: String, at: Duration)] = []

    func sends(to host: String, from start: Duration = .zero) -> Int {
        sends.count { $0.host == host && $0.at >= start }
    }

    func share(of host: String, from start: Duration = .zero) -> Double {
        let all = sends.count { $0.at >= start }
        return all == 0 ? 0 : Double(sends(to: host, from: start)) / Double(all)
    }

    func percentile(_ fraction: Double) -> Duration {
        let sorted = latencies.sorted()
        return sorted[Int(Double(sorted.count - 1) * fraction)]
    }
}

/// A transport that notes where each send goes.
struct NotingTransport<Base: Transport<HTTP.Request>>: Transport {
    let base: Base
    let log: LoadLog

    nonisolated(nonsending) func send(
        _ request: HTTP.Request,
        call: Call
    ) async throws -> HTTP.Response {
        log.note(request.url.host ?? "", at: call.runtime.now.offset)
        return try await base.send(request, call: call)
    }
}

final class LoadLog: Sendable {
    private let state = Lock(LoadResult())

    var result: LoadResult { state.withLock { $0 } }

    func note(_ host: String, at instant: Duration) {
        state.withLock { $0.sends.append((host, instant)) }
    }

    func note(latency: Duration) { state.withLock { $0.latencies.append(latency) } }

    func note(failure: any Error) { state.withLock { $0.failures.append("\(failure)") } }
}

extension LoadLog {
    /// Sends GETs at a steady rate, whatever becomes of those before.
    func load(
        _ runtime: Runtime,
        every interval: Duration,
        until end: Duration,
        _ send: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            while runtime.now.offset < end {
                group.addTask { await self.one(runtime, send) }
                try await runtime.sleep(for: interval)
            }
            try await group.waitForAll()
        }
    }

    /// Sends GETs one after the other, several at a time.
    func load(
        _ runtime: Runtime,
        callers: Int,
        calls: Int,
        _ send: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<callers {
                group.addTask { for _ in 0..<calls { await self.one(runtime, send) } }
            }
        }
    }

    private func one(
        _ runtime: Runtime,
        _ send: @Sendable (HTTP.Request) async throws -> HTTP.Response
    ) async {
        let began = runtime.now
        do {
            let status = try await send(.get("/x")).status
            if !status.isSuccess { throw LoadFailure(status: status) }
        } catch {
            note(failure: error)
        }
        note(latency: began.duration(to: runtime.now))
    }
}

struct LoadFailure: Error {
    let status: HTTP.Status
}
