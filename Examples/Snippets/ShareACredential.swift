// What the guide ShareACredential shows.
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitEtcd

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

func sharedOnOneMachine(at endpoint: TokenEndpoint) -> TokenInterceptor {
    // snippet.file
    let file = CredentialFile("/var/lib/orders/credential")
    let tokens = StoredCredentialSource(in: file, refreshedBy: RefreshTokenSource(at: endpoint))
    let session = TokenInterceptor(source: tokens, origins: ["https://api.example.com"])
    // snippet.end
    return session
}

func sharedByAFleet(
    at endpoint: TokenEndpoint,
    _ transport: some Transport<HTTP.Request>
) throws -> StoredCredentialSource {
    // snippet.etcd
    let store = try EtcdCredentialStore(
        ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
        key: "orders/credential",
        pipeline: try Pipeline(transport: transport) {}
    )
    let tokens = StoredCredentialSource(in: store, refreshedBy: RefreshTokenSource(at: endpoint))
    // snippet.end
    return tokens
}

func orders(
    _ api: HTTP.Client,
    _ session: TokenInterceptor,
    askSomeone: () async throws -> Credential
) async throws -> HTTP.Response {
    // snippet.signIn
    do {
        return try await api.send(.get("/orders"))
    } catch let error as CredentialStoreError where error.requiresSignIn {
        try await session.signIn(with: try await askSomeone())
        return try await api.send(.get("/orders"))
    }
    // snippet.end
}

func foreground(_ session: TokenInterceptor) async throws {
    // snippet.reload
    try await session.reload()
    // snippet.end
}

struct Account: Codable {
    var user: String
    var tenant: String
}

func account(
    _ session: TokenInterceptor,
    _ store: some CredentialStore,
    _ answer: (token: String, refreshToken: String, account: Account)
) async throws -> Account? {
    // snippet.attachment
    let credential = Credential.bearer(answer.token, refreshToken: answer.refreshToken)
    try await session.signIn(with: credential.attaching(answer.account))
    let account = try await store.load()?.credential.attachment(as: Account.self)
    // snippet.end
    return account
}

struct AppKeychain: Sendable {
    func read() throws -> Data? { nil }
    func write(_ archive: Data) throws {}
    func remove() throws {}
}

func session(in keychain: AppKeychain, _ tokens: RefreshTokenSource) -> StoredCredentialSource {
    // snippet.functions
    let session = StoredCredentialSource(
        load: { try keychain.read() },
        save: { try keychain.write($0) },
        clear: { try keychain.remove() },
        refreshedBy: tokens
    )
    // snippet.end
    return session
}
