import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An API and its token endpoint, which rotates refresh tokens, and the watch over who uses them.
final class RotatingService: Sendable {
    struct State {
        var issued = 0
        /// What the API accepts.
        var accepted: Set<String> = ["a0"]
        /// What may still be refreshed.
        var refreshable: Set<String> = ["r0"]
        /// The session that each refresh token belongs to.
        var sessions = ["r0": 0]
        var session = 0
        var failuresToCome = 0
        var refreshes = 0
        var inFlight: [Int: Int] = [:]
        /// What the client got last, and what it is known to have begun to use.
        var delivered: String?
        var current: String? = "a0"
        var superseded: Set<String> = []
        var sent: [String] = []
        var started = 0
        var ended = 0
        var violations: [String] = []
    }

    // No `Lock`, which is not specialized in other modules: these runs are many.
    let state = Mutex(State())
    /// Holds back what the token endpoint answers, once it is closed.
    let answers = Gate("answers of the token endpoint")
    private let runtime: Runtime
    private let lifetime: Double?

    init(_ runtime: Runtime, lifetime: Double?) {
        self.runtime = runtime
        self.lifetime = lifetime
        answers.open()
    }

    var refreshes: Int { state.withLock(\.refreshes) }
    var sent: [String] { state.withLock(\.sent) }

    /// The API accepts none of the tokens there are any more.
    func revoke() { state.withLock { $0.accepted = [] } }

    /// The token endpoint refreshes none of the tokens there are any more.
    func endGrants() { state.withLock { $0.sessions["r0"] = -1 } }

    /// The access token that was given out last.
    var newest: String { state.withLock { "a\($0.issued)" } }

    func failRefreshes(_ count: Int) { state.withLock { $0.failuresToCome = count } }

    func beginSession() -> Credential {
        credential(
            state.withLock { state in
                state.session += 1
                let number = state.issue()
                state.supersede(by: "a\(number)")
                return number
            }
        )
    }

    func endSession() {
        state.withLock { state in
            state.session += 1
            state.accepted = []
            state.refreshable = []
            state.supersede(by: nil)
        }
    }

    private func credential(_ number: Int) -> Credential {
        .bearer(
            "a\(number)",
            expiresAt: lifetime.map { runtime.date.addingTimeInterval($0) },
            refreshToken: "r\(number)"
        )
    }
}

extension RotatingService.State {
    mutating func issue() -> Int {
        issued += 1
        accepted = ["a\(issued)"]
        refreshable = ["r\(issued)"]
        sessions["r\(issued)"] = session
        return issued
    }

    mutating func supersede(by token: String?) {
        if let current { superseded.insert(current) }
        current = token
    }

    mutating func arrive(_ refreshToken: String) throws -> Int {
        refreshes += 1
        guard let session = sessions[refreshToken] else {
            violations.append("\(refreshToken) was never given out")
            throw TokenError(.signInRequired, "The refresh token is unknown.")
        }
        inFlight[session, default: 0] += 1
        if inFlight[session] != 1 { violations.append("two refreshes of one session at once") }
        return session
    }

    mutating func refresh(_ refreshToken: String, of session: Int) throws -> Int {
        guard failuresToCome == 0 else {
            failuresToCome -= 1
            throw Problem(text: "no token now")
        }
        guard self.session == session else {
            throw TokenError(.signInRequired, "The session is over.")
        }
        guard refreshable.contains(refreshToken) else {
            violations.append("\(refreshToken) was used twice")
            throw TokenError(.signInRequired, "The refresh token was used before.")
        }
        return issue()
    }
}

extension RotatingService: CredentialSource {
    func load() async throws -> Credential? { credential(0) }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        let refreshToken = rejected?.refreshToken ?? "none"
        let session = try state.withLock { try $0.arrive(refreshToken) }
        defer { state.withLock { $0.inFlight[session, default: 0] -= 1 } }
        await Task.yield()
        let number = try state.withLock { try $0.refresh(refreshToken, of: session) }
        try await answers.pass()
        state.withLock { $0.delivered = "a\(number)" }
        return credential(number)
    }
}

extension RotatingService: EventSink {
    func record(_ event: Event) {
        guard event.name == .refreshEnded, event.attributes["outcome"] == .text("done") else {
            return
        }
        state.withLock { $0.supersede(by: $0.delivered) }
    }
}

extension RotatingService: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
        state.withLock { state in
            state.sent.append(token ?? "-")
            if let token, state.superseded.contains(token) {
                state.violations.append("\(token) was sent after \(state.current ?? "a sign-out")")
            }
        }
        // Arrives at once, and is answered later.
        let isAccepted = state.withLock { $0.accepted.contains(token ?? "") }
        await Task.yield()
        return HTTP.Response(isAccepted ? 200 : 401)
    }
}
