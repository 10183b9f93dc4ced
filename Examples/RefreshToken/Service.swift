import InterceptorKit

/// The service that is asked, and the one that tokens come from.
actor Service: Transport, CredentialSource {
    private var accepted: String? = "Bearer new"
    private(set) var refreshes = 0

    func accept(_ token: String) { accepted = "Bearer \(token)" }
    func endSession() { accepted = nil }

    nonisolated func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        let isAccepted = await isAccepted(request.headers["Authorization"])
        return HTTP.Response(isAccepted ? 200 : 401, request: request)
    }

    private func isAccepted(_ authorization: String?) -> Bool {
        authorization != nil && authorization == accepted
    }

    // Nothing is stored from an earlier run; see StoredCredentialSource.
    nonisolated func load() async throws -> Credential? { nil }

    nonisolated func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let refreshToken = rejected?.refreshToken else { return nil }
        return try await refresh(with: refreshToken)
    }

    private func refresh(with refreshToken: String) throws -> Credential {
        guard accepted != nil else {
            throw TokenError(.signInRequired, "The session is over. Sign in again.")
        }
        refreshes += 1
        return .bearer("new", refreshToken: "refresh-\(refreshes + 1)")
    }
}
