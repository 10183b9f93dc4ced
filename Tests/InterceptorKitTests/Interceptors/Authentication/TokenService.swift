import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import TestSupport

@testable import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A service that accepts one token at a time, and the source that refreshes it: `t0`, `t1`, ….
final class TokenService: Sendable {
    private struct State {
        var accepted: String? = "t0"
        var issued = 0
        var refreshes = 0
        var failsRefreshes = false
        var answer: HTTP.Status?
    }

    private let state = Lock(State())
    private let gate: (gate: Gate, path: String)?
    private let refreshGate: Gate?
    private let lifetime: Double?

    init(
        holding gate: Gate? = nil,
        path: String = "",
        refreshGate: Gate? = nil,
        lifetime: Double? = nil
    ) {
        self.gate = gate.map { ($0, path) }
        self.refreshGate = refreshGate
        self.lifetime = lifetime
    }

    var refreshes: Int { state.withLock(\.refreshes) }

    /// The token in use is accepted no more.
    func expire() { state.withLock { $0.accepted = nil } }

    func accept(_ token: String) { state.withLock { $0.accepted = token } }

    func rejectAll() { answerAll(with: 401) }

    func answerAll(with status: HTTP.Status) { state.withLock { $0.answer = status } }

    func failRefreshes(_ fails: Bool) { state.withLock { $0.failsRefreshes = fails } }

    let transportBox = Recorder<ScriptedTransport<HTTP.Request>>()

    var transport: ScriptedTransport<HTTP.Request> {
        if let made = transportBox.entries.first { return made }
        let made = ScriptedTransport<HTTP.Request> { [self] request, call in
            let status = state.withLock { state -> HTTP.Status in
                if let answer = state.answer { return answer }
                let isAccepted =
                    request.headers["Authorization"] == state.accepted.map { "Bearer \($0)" }
                return isAccepted && state.accepted != nil ? 200 : 401
            }
            if let gate, request.url.path == gate.path { try await gate.gate.pass() }
            let isOld =
                request.url.path == gate?.path && request.headers["Authorization"] == "Bearer t0"
            try await call.runtime.sleep(for: .milliseconds(5))
            return HTTP.Response(isOld ? 401 : status)
        }
        transportBox.note(made)
        return made
    }

    func interceptor() -> TokenInterceptor {
        let expiry = lifetime.map { Simulation.startDate.addingTimeInterval($0) }
        let source = RefreshableCredentialSource(initial: { .bearer("t0", expiresAt: expiry) }) {
            [self] _ in
            state.withLock { $0.refreshes += 1 }
            if let refreshGate { try await refreshGate.pass() }
            return try state.withLock { state in
                if state.failsRefreshes { throw Problem(text: "refresh failed") }
                state.issued += 1
                state.accepted = "t\(state.issued)"
                return .bearer("t\(state.issued)")
            }
        }
        return TokenInterceptor(source: source, origins: ["https://api.example.com"])
    }
}
