import InterceptorKit
import InterceptorKitTesting
import Synchronization

/// Orders on loopback: wants a token that soon expires, and is busy the first time it is asked.
final class OrderServer: CredentialSource {
    private let issued = Mutex(0)
    private let visits = Mutex(0)

    /// How many tokens were issued.
    var tokensIssued: Int { issued.withLock { $0 } }

    func load() async throws -> Credential? { .bearer("expired") }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        issued.withLock { $0 += 1 }
        return .bearer("valid")
    }

    func start() throws -> LoopbackServer {
        try LoopbackServer { [self] request in
            guard request.headers["Authorization"] == "Bearer valid" else { return .status(401) }
            if visits.withLock({ visits in
                visits += 1
                return visits == 1
            }) {
                return .status(503, headers: ["Retry-After": "0"])
            }
            if request.method == .post { return .status(201) }
            return .text("order \(request.path.split(separator: "/").last ?? ""), a teapot")
        }
    }
}
