import InterceptorKit

// What a third party writes, with the public interface alone.

/// Gives a key to sign with for a time: a field with its id and its secret.
struct KeyService: Sendable {
    let lease: @Sendable () async throws -> Credential
}

struct LeasedKeys: SigningKeyStore {
    private let runtime: Runtime
    private let leases: CredentialCache

    init(_ service: KeyService, runtime: Runtime = .live) {
        self.runtime = runtime
        leases = CredentialCache(
            source: RefreshableCredentialSource { _ in try await service.lease() }
        )
    }

    func key(id: String?) async throws -> SigningKey? {
        let lease = try await leases.credential(for: Call(runtime: runtime))
        return lease?.fields.first.map { SigningKey(id: $0.name, secret: $0.value.utf8) }
    }
}

/// Sends a ticket in the body, where no token interceptor puts it; a server that takes none answers 440.
struct TicketInterceptor: Interceptor {
    let tickets: CredentialCache

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let ticket = try await tickets.credential(for: chain.call)
        let response = try await send(chain, ticket)
        guard response.status == 440,
            let next = try await tickets.credential(for: chain.call, after: ticket)
        else { return response }
        await response.discard()
        return try await send(chain, next)
    }

    private func send(
        _ chain: InterceptorChain<HTTP.Request>,
        _ ticket: Credential?
    ) async throws -> HTTP.Response {
        var request = chain.input
        request.body = .form(HTTP.Parameters(ticket?.fields ?? []))
        return try await chain.proceed(request)
    }
}
