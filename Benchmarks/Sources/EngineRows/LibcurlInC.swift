import Foundation
import LibcurlLoad
public import Loading
import ProcessFigures
import Reporting

/// libcurl's multi interface driven by a loop in C, on a thread of its own; bodies are counted and not
/// kept.
public final class LibcurlInC: Contender {
    public let name = "libcurl in C"
    private let thread = DispatchQueue(label: "libcurl in C")
    private let loads = HandleCache()

    /// Opens libcurl when it is first asked to.
    public init() {}

    deinit { loads.removeAll() }

    public func bear(_ load: Load, for duration: Duration) async throws -> Sample {
        try await onThread { try self.run(load, for: duration) }
    }

    /// Sends so many requests and waits for the last answer.
    public func send(_ requests: Int, under load: Load) async throws {
        try await onThread {
            let handle = try self.loads.handle(for: load)
            let count = libcurl_load_run(handle, .infinity, requests, load.size, nil, 0)
            guard count == requests else { throw Self.unexpectedAnswer(from: load) }
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            thread.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private static func unexpectedAnswer(from load: Load) -> UnexpectedAnswer {
        UnexpectedAnswer("libcurl in C got another answer from \(load.url).")
    }

    private func run(_ load: Load, for duration: Duration) throws -> Sample {
        let handle = try loads.handle(for: load)
        // A hundred thousand in a second and more than any machine does.
        var latencies = [Double](repeating: 0, count: Int(duration.inSeconds * 1e6) + 1000)
        let before = ProcessUsage.current()
        let start = ContinuousClock.now
        let count = libcurl_load_run(
            handle,
            duration.inSeconds,
            .max,
            load.size,
            &latencies,
            latencies.count
        )
        guard count >= 0 else { throw Self.unexpectedAnswer(from: load) }
        return Sample(
            Array(latencies.prefix(count)),
            seconds: start.duration(to: .now).inSeconds,
            processorSeconds: ProcessUsage.current().since(before).processorSeconds
        )
    }
}

/// Keeps handles with their connections, as the other contenders keep theirs.
private final class HandleCache: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: touched on the queue of the one who has it, and when that
    // one goes.
    private var handles: [Load: OpaquePointer] = [:]

    func handle(for load: Load) throws -> OpaquePointer {
        if let handle = handles[load] { return handle }
        guard let handle = libcurl_load_make(load.url, CInt(load.inFlight)) else {
            throw UnexpectedAnswer("There is no libcurl (libcurl.so.4) on this system.")
        }
        handles[load] = handle
        return handle
    }

    func removeAll() {
        for handle in handles.values { libcurl_load_free(handle) }
        handles = [:]
    }
}
