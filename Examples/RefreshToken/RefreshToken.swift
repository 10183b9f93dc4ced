import InterceptorKit

/// Twenty calls find their token expired; it is refreshed once. Then the session ends.
@main
struct RefreshToken {
    static func main() async throws {
        let service = Service()
        let session = TokenInterceptor(source: service, origins: ["https://api.example.com"])
        let api = try HTTP.Client(transport: service) {
            BaseURLInterceptor("https://api.example.com/v1")
            RetryInterceptor(policy: .standard)
            session
        }

        print("1. Nobody has signed in: requests are sent without a credential.")
        print("   \(try await api.send(.get("/orders")).status)")

        print("2. Signed in with a token that has expired since; twenty calls at once.")
        try await session.signIn(with: .bearer("old", refreshToken: "refresh-1"))
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask { try await api.send(.get("/orders/\(number)")).status == 200 }
            }
            var count = 0
            for try await isAnswered in group where isAnswered { count += 1 }
            return count
        }
        print("   answered: \(answered), refreshes: \(await service.refreshes)")

        print("3. Another origin asks for the token, and gets none.")
        let stranger = try await api.send(.get("https://stranger.example/orders"))
        print(
            "   the request had a token: \(stranger.request?.headers.contains("Authorization") ?? false)"
        )

        print("4. The service has ended the session: the caller is told what to do.")
        await service.endSession()
        do {
            _ = try await api.send(.get("/orders"))
        } catch let error as TokenError {
            print("   \(error.code): \(error.message)")
        }

        print("5. Signed in again.")
        try await session.signIn(with: .bearer("new", refreshToken: "refresh-3"))
        await service.accept("new")
        print("   \(try await api.send(.get("/orders")).status)")
    }
}
