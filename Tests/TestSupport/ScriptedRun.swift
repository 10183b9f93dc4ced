package import InterceptorKit
package import InterceptorKitTesting
import TestRun

/// The outcome of sending a request through an interceptor over a script.
package struct ScriptedRun {
    /// What a run is made of.
    package struct Setup: Sendable {
        package var steps: [ScriptStep<HTTP.Request>]
        package var request: HTTP.Request
        package var interceptor: any Interceptor<HTTP.Request>
        package var timeout: Duration?
        package var events: (any EventSink)?
        package var configure: @Sendable (inout Call) -> Void

        package init(
            steps: [ScriptStep<HTTP.Request>],
            request: HTTP.Request = .get(orders),
            interceptor: any Interceptor<HTTP.Request>,
            timeout: Duration? = nil,
            events: (any EventSink)? = nil,
            configure: @escaping @Sendable (inout Call) -> Void = { _ in }
        ) {
            self.steps = steps
            self.request = request
            self.interceptor = interceptor
            self.timeout = timeout
            self.events = events
            self.configure = configure
        }
    }

    package var result: Result<HTTP.Response, any Error>
    package var times: [Duration]
    package var sent: [HTTP.Request]
    package var elapsed: Duration

    package init(
        result: Result<HTTP.Response, any Error>,
        times: [Duration],
        sent: [HTTP.Request],
        elapsed: Duration
    ) {
        self.result = result
        self.times = times
        self.sent = sent
        self.elapsed = elapsed
    }

    /// Runs a script once for each seed, which must all come to the same unless randomness has a part in
    /// it.
    package static func onEverySeed(_ setup: Setup, isVarying: Bool = false) async throws
        -> ScriptedRun
    {
        try await sameResult(0..<seedCount, { try await once(setup, in: $0) }) { first, other in
            isVarying || first.isSame(as: other)
        }
    }

    package static func once(_ setup: Setup, seed: UInt64) throws -> ScriptedRun {
        try Simulation.run(seed: seed) { try await once(setup, in: $0) }
    }

    private static func once(_ setup: Setup, in simulation: Simulation) async throws -> ScriptedRun
    {
        let transport = ScriptedTransport(replies: setup.steps)
        let client = try simulation.client(
            transport,
            timeout: setup.timeout,
            events: setup.events
        ) { setup.interceptor }
        let result: Result<HTTP.Response, any Error>
        do {
            result = .success(try await client.send(setup.request, configure: setup.configure))
        } catch {
            result = .failure(error)
        }
        return ScriptedRun(
            result: result,
            times: transport.sent.map(\.instant.offset),
            sent: transport.sent.map(\.input),
            elapsed: simulation.now.offset
        )
    }

    /// Whether two runs came to the same at the same times.
    private func isSame(as other: ScriptedRun) -> Bool {
        guard times == other.times, elapsed == other.elapsed else { return false }
        return switch (result, other.result) {
        case (.success(let one), .success(let other)):
            one.status == other.status && one.headers == other.headers
                && one.body.inMemory == other.body.inMemory
                && one.attempts.map(\.number) == other.attempts.map(\.number)
        case (.failure(let one), .failure(let other)): isSameError(one, other)
        default: false
        }
    }
}

private func isSameError(_ one: any Error, _ other: any Error) -> Bool {
    switch (one, other) {
    case (let one as TransportError, let other as TransportError):
        one.code == other.code && one.message == other.message
            && one.isUnsent == other.isUnsent
            && one.attempts.map(\.number) == other.attempts.map(\.number)
    case (let one as Problem, let other as Problem): one == other
    default: type(of: one) == type(of: other)
    }
}

extension Simulation {
    /// Sends a request and cancels the caller after a time.
    /// - Returns: How many sends there were then, and what the caller got.
    package func send(
        to client: HTTP.Client,
        over transport: ScriptedTransport<HTTP.Request>,
        cancelledAfter wait: Duration
    ) async -> (sends: Int, result: Result<HTTP.Response, any Error>?) {
        await withTaskGroup(of: Result<HTTP.Response, any Error>.self) { group in
            group.addTask {
                do {
                    return .success(try await client.send(.get(orders)))
                } catch {
                    return .failure(error)
                }
            }
            try? await runtime.sleep(for: wait)
            group.cancelAll()
            let sends = transport.sent.count
            return (sends, await group.next())
        }
    }
}
