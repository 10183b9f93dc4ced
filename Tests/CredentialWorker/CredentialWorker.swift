import Foundation
import InterceptorKit
import InterceptorKitCurl
import InterceptorKitEtcd

/// One process of a fleet: makes calls with a credential that it shares with others.
@main
struct CredentialWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 4, let calls = Int(arguments[3]) else {
            print("usage: CredentialWorker (file PATH | etcd KEY@URL) SERVER CALLS")
            exit(2)
        }
        let origin = HTTP.Origin(arguments[2])
        let transport = try CurlTransport()
        let pipeline = try Pipeline<HTTP.Request>(transport: transport) {}
        let endpoint = TokenEndpoint(
            "\(origin)/token",
            client: .public(id: "\(getpid())"),
            pipeline: pipeline
        )
        let source = StoredCredential(
            in: try store(arguments[0], arguments[1], pipeline),
            renewedBy: RefreshTokens(at: endpoint)
        )
        let client = try HTTP.Client(transport: transport) {
            TokenInterceptor(source: source, origins: [origin], policy: policy)
        }
        let worker = Worker(client: client, bare: pipeline, origin: origin)
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await worker.run(calls: calls / 4) } }
            try await group.waitForAll()
        }
    }

    private static func store(
        _ kind: String,
        _ place: String,
        _ pipeline: Pipeline<HTTP.Request>
    ) throws -> any CredentialStore {
        guard kind == "etcd" else { return CredentialFile(place) }
        let parts = place.split(separator: "@").map(String.init)
        return try EtcdCredentialStore(
            [HTTP.URL(parts[1])],
            key: parts[0],
            pipeline: pipeline,
            lease: .seconds(2)
        )
    }

    // Tokens of a test are used up fast, and renewed as often.
    private static var policy: RenewalPolicy {
        var policy = RenewalPolicy.standard
        policy.backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(200), jitter: .none)
        policy.limit = 100_000
        return policy
    }
}

struct Worker {
    let client: HTTP.Client
    let bare: Pipeline<HTTP.Request>
    let origin: HTTP.Origin

    /// Makes so many calls that are served, however often others are refused.
    func run(calls: Int) async throws {
        var served = 0
        while served < calls {
            do {
                let headers: HTTP.Headers = ["X-Worker": "\(getpid())"]
                let request = HTTP.Request.get("\(origin)/orders", headers: headers)
                let response = try await client.send(request)
                await response.discard()
                if response.status == 200 { served += 1 }
            } catch let error as CredentialStoreError where error.requiresSignIn {
                let report = HTTP.Request.get("\(origin)/report?\(error.code.description)")
                await (try? bare.run(report))?.discard()
                try await Runtime.live.sleep(for: .milliseconds(50))
            } catch let error where error is TokenError || error is CredentialStoreError {
                try await Runtime.live.sleep(for: .milliseconds(50))
            }
        }
    }
}
