import InterceptorKit
import InterceptorKitConcurrency
import Synchronization
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An API and its token endpoint, which rotates refresh tokens, fails in every way, and watches over how
/// often each refresh token comes.
final class FleetService: Sendable {
    enum Fault: String, CaseIterable {
        case unsent, unavailable, lostBefore, lostAfter, serverError, refused
    }

    struct State {
        var issued = 0
        /// The access tokens that are accepted, and until when.
        var accepted: [String: Runtime.Instant] = [:]
        /// The refresh tokens that may be used.
        var refreshable: Set<String> = []
        /// Those that were, and a new one given.
        var used: Set<String> = []
        /// Those whose outcome nobody knows, or that were refused.
        var spoiled: Set<String> = []
        var faults: [Fault] = []
        var refreshes = 0
        /// Whether a process was ended that had a credential which it could not save.
        var hasLost = false
        /// What each process sent last.
        var sent: [String: String] = [:]
        var violations: [String] = []
    }

    let state = Mutex(State())
    private let runtime: Runtime
    private let lifetime: Double?
    private let cases: FleetCases

    init(_ runtime: Runtime, lifetime: Double?, _ cases: FleetCases) {
        self.runtime = runtime
        self.lifetime = lifetime
        self.cases = cases
    }

    var refreshes: Int { state.withLock(\.refreshes) }

    func fail(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }
    func work() { state.withLock { $0.faults = [] } }
    func noteLoss() { state.withLock { $0.hasLost = true } }

    /// Accepts none of the access tokens any more.
    func revoke() { state.withLock { $0.accepted = [:] } }

    func isAccepted(_ token: String?) -> Bool {
        state.withLock { $0.accepted[token ?? ""].map { $0 > runtime.now } ?? false }
    }

    /// Begins a session, for a process whose clock may be wrong.
    func signIn(on runtime: Runtime) -> Credential {
        let number = state.withLock { issue(&$0) }
        return .bearer(
            "a\(number)",
            expiresAt: lifetime.map { runtime.date.addingTimeInterval($0) },
            refreshToken: "r\(number)"
        )
    }

    private func issue(_ state: inout State) -> Int {
        state.issued += 1
        let end = runtime.now.advanced(by: .seconds(lifetime ?? 1_000_000))
        state.accepted["a\(state.issued)"] = end
        state.refreshable.insert("r\(state.issued)")
        return state.issued
    }

    private func rotate(_ token: String, _ state: inout State) -> Int? {
        guard state.refreshable.remove(token) != nil else { return nil }
        state.used.insert(token)
        return issue(&state)
    }

    private func refresh(_ token: String) throws -> HTTP.Response {
        try state.withLock { state in
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            if let fault { cases.note(fault.rawValue) }
            if fault == .unsent {
                throw TransportError(.cannotConnect, "Cut.", isUnsent: true)
            }
            state.refreshes += 1
            if state.spoiled.contains(token) { state.violations.append("\(token) was sent again") }
            if state.used.contains(token) { state.violations.append("\(token) was used twice") }
            switch fault {
            case .unavailable: return HTTP.Response(503)
            case .serverError, .lostBefore, .lostAfter:
                state.spoiled.insert(token)
                if fault != .lostBefore { _ = rotate(token, &state) }
                if fault == .serverError { return HTTP.Response(500) }
                throw TransportError(.connectionLost, "Lost.")
            case .refused: state.refreshable.remove(token)
            case .unsent, nil: break
            }
            guard let number = rotate(token, &state) else {
                state.spoiled.insert(token)
                return HTTP.Response(400, body: .text(#"{"error":"invalid_grant"}"#))
            }
            let lifetime = lifetime.map { #","expires_in":\#($0)"# } ?? ""
            return HTTP.Response(
                200,
                body: .text(
                    #"{"access_token":"a\#(number)","refresh_token":"r\#(number)"\#(lifetime)}"#
                )
            )
        }
    }
}

extension FleetService: Transport {
    func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        try await call.runtime.sleep(for: .milliseconds(3))
        if request.url.path == "/token" {
            return try refresh(asked(request)["refresh_token"] ?? "")
        }
        let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
        state.withLock { $0.sent[request.headers["X-Process"] ?? ""] = token }
        return HTTP.Response(isAccepted(token) ? 200 : 401)
    }
}
