import Foundation
public import InterceptorKit
import InterceptorKitTesting

/// An authorization server that rotates refresh tokens and remembers each one it saw, and a service whose
/// access tokens are good for so many requests.
public final class TokenServer: Sendable {
    private struct State {
        var number = 0
        var usesLeft = 0
        var seen: Set<String> = []
        var facts = FleetReport()
    }

    private let state = Lock(State())
    private let usesPerToken: Int
    private let kills: Set<Int>
    private let server = Lock<LoopbackServer?>(nil)

    /// - Parameters:
    ///   - usesPerToken: How many requests an access token is good for.
    ///   - kills: At which refreshes, counted from 1, the process that asks is ended: when its refresh
    ///     token is used up, and before it has the answer.
    public init(usesPerToken: Int, kills: Set<Int>) throws {
        self.usesPerToken = usesPerToken
        self.kills = kills
        let started = try LoopbackServer.start { [weak self] request in
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
        state.usesLeft = usesPerToken
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
        state.withLock { state in
            state.facts.problems.insert(request.query ?? "")
            state.facts.problemsSinceKill += 1
        }
        return .status(200)
    }

    private func refresh(_ request: LoopbackServer.Request) -> LoopbackServer.Reply {
        let parameters = HTTP.URL("https://a.example/?" + request.text).queryParameters
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
            guard kills.contains(state.facts.refreshes), let worker = asked["client_id"] else {
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

/// What a fleet did.
public struct FleetReport: Sendable {
    /// How often a refresh token was received.
    public var refreshes = 0
    /// How often it was taken, and a new one given.
    public var rotations = 0
    /// How often it was one that had been received before.
    public var reused = 0
    /// How often someone signed in.
    public var signIns = 0
    /// The processes that were ended.
    public var killed: [String] = []
    /// What processes were told that needs a sign-in.
    public var problems: Set<String> = []
    /// How often they were, since the last was ended.
    public var problemsSinceKill = 0
    /// How many requests were served, by process.
    public var served: [String: Int] = [:]
    /// The refresh token that is good.
    public var lastRefreshToken = ""
    /// The processes that ended by themselves and well.
    public var finished: [String] = []
}
