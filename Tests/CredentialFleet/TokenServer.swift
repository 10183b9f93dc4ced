import BoundedWaits
import Foundation
public import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization

/// An authorization server that rotates refresh tokens and remembers each one it saw, and a service whose
/// access tokens are good for so many requests, which serves each worker so often.
public final class TokenServer: Sendable {
    /// What is to be done, and what goes wrong.
    public struct Load: Sendable {
        /// How many processes there are at a time.
        public var workers = 8
        /// How many calls of each are served; after that it is told that it is done.
        public var calls = 200
        /// How many requests an access token is good for.
        public var usesPerToken = 40
        /// At which refreshes, counted from 1, the process that asks is ended: when its refresh token is
        /// used up, and before it has the response.
        public var kills: Set<Int> = []

        public init() {}
    }

    private struct State {
        var number = 0
        var usesLeft = 0
        var seen: Set<String> = []
        var facts = FleetReport()
    }

    /// What a fleet waits for.
    enum Change { case report, end }

    private let state = Lock(State())
    let changes = EventLog<Change>()
    let load: Load
    private let server = Lock<LoopbackServer?>(nil)

    public init(_ load: Load) throws {
        self.load = load
        let started = try LoopbackServer { [weak self] request in
            self?.answer(request) ?? .status(500)
        }
        server.withLock { $0 = started }
    }

    deinit { server.withLock { $0?.stop() } }

    public var origin: HTTP.Origin {
        server.withLock { $0?.origin } ?? HTTP.Origin(scheme: "http", host: "127.0.0.1")
    }

    /// What happened so far.
    public var facts: FleetReport { state.withLock(\.facts) }

    /// What someone who signs in is given.
    public func signIn() -> Credential {
        state.withLock { state in
            state.facts.signIns += 1
            return issue(&state)
        }
    }

    private func issue(_ state: inout State) -> Credential {
        state.number += 1
        state.usesLeft = load.usesPerToken
        state.facts.lastRefreshToken = "r\(state.number)"
        return .bearer("a\(state.number)", refreshToken: "r\(state.number)")
    }

    private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        switch request.path {
        case "/token": refresh(request)
        case "/report": report(request)
        default: serve(request)
        }
    }

    private func serve(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let worker = request.headers["X-Worker"] ?? ""
        return state.withLock { state in
            guard state.facts.served[worker, default: 0] < load.calls else { return .status(410) }
            let token = "Bearer a\(state.number)"
            guard request.headers["Authorization"] == token, state.usesLeft > 0 else {
                return .status(401)
            }
            state.usesLeft -= 1
            state.facts.served[worker, default: 0] += 1
            return .status(200)
        }
    }

    private func report(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let parameters = HTTP.URL(unvalidated: "https://a.example/?" + (request.query ?? ""))
            .queryParameters
        state.withLock { state in
            for parameter in parameters {
                if parameter.name == "problem" {
                    state.facts.problems.insert(parameter.value)
                    state.facts.problemsSinceKill += 1
                } else {
                    state.facts.failures[parameter.value, default: 0] += 1
                }
            }
        }
        changes.note(.report)
        return .status(200)
    }

    private func refresh(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let parameters = HTTP.URL(unvalidated: "https://a.example/?" + request.text).queryParameters
        let asked = Dictionary(parameters.map { ($0.name, $0.value) }) { first, _ in first }
        let token = asked["refresh_token"] ?? ""
        let (text, victim) = state.withLock { state -> (String?, pid_t?) in
            state.facts.refreshes += 1
            let isNew = state.seen.insert(token).inserted
            if !isNew { state.facts.reused += 1 }
            guard isNew, token == "r\(state.number)" else { return (nil, nil) }
            state.facts.rotations += 1
            _ = issue(&state)
            let text =
                #"{"access_token":"a\#(state.number)","refresh_token":"r\#(state.number)"}"#
            guard load.kills.contains(state.facts.refreshes), let worker = asked["client_id"] else {
                return (text, nil)
            }
            state.facts.killed.append(worker)
            state.facts.problemsSinceKill = 0
            return (text, pid_t(worker))
        }
        if let victim { kill(victim, SIGKILL) }
        return text.map { .json($0) } ?? .json(#"{"error":"invalid_grant"}"#, status: 400)
    }
}
