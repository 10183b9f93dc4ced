import Dispatch
import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HTTP.Client and the caller's executor")
struct ClientIsolationTests {
    @Test(
        "runs interceptors and the transport on the caller's actor",
        arguments: [true, false]
    )
    func isolation(tracksCalls: Bool) async throws {
        let caller = Caller()
        let recorder = Recorder<Bool>()
        let client = try HTTP.Client(
            transport: CannedTransport(200),
            timeout: nil,
            tracksCalls: tracksCalls
        ) {
            Witness(caller: caller, recorder: recorder)
        }

        try await caller.send(client)

        expectEqual(recorder.entries, [true, true])
    }

    @Test("runs what a time limit bounds on the caller's actor")
    func timeLimits() async throws {
        let caller = Caller()
        let recorder = Recorder<Bool>()
        let client = try HTTP.Client(transport: CannedTransport(200), timeout: nil) {
            TimeoutInterceptor(total: .seconds(30))
            TimeoutInterceptor(attempt: .seconds(10))
            Witness(caller: caller, recorder: recorder)
        }

        try await caller.send(client)

        expectEqual(recorder.entries, [true, true])
    }

    @Test("counts no calls that it does not track, and does not end them")
    func untracked() async throws {
        let result = try await onEverySeed { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, call in
                try await call.runtime.sleep(for: .seconds(1))
                return HTTP.Response()
            }
            let client = HTTP.Client(
                transport: transport,
                runtime: simulation.runtime,
                tracksCalls: false
            )
            async let status = client.send(.get(orders)).status.code
            try await simulation.runtime.sleep(for: .milliseconds(500))
            let open = client.openCalls
            client.cancelAll()
            return [open, try await status]
        }

        expectEqual(result, [0, 200])
    }
}

/// An actor on a queue of its own, so that code can tell whether it runs there.
private actor Caller {
    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "caller")
        private let key = DispatchSpecificKey<Bool>()

        init() { queue.setSpecific(key: key, value: true) }

        var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let executor = unsafe asUnownedSerialExecutor()
            queue.async { unsafe job.runSynchronously(on: executor) }
        }
    }

    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    nonisolated var isCurrent: Bool { executor.isCurrent }

    func send(_ client: HTTP.Client) async throws { _ = try await client.send(.get(orders)) }
}

/// Notes before and after the stages below whether it runs on the caller's actor.
private struct Witness: Interceptor {
    let caller: Caller
    let recorder: Recorder<Bool>

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        recorder.note(caller.isCurrent)
        let response = try await chain.proceed()
        recorder.note(caller.isCurrent)
        return response
    }
}
