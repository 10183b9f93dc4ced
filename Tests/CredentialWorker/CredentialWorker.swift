import Foundation
import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitCurl
import InterceptorKitEtcd

#if Redis
import InterceptorKitRedis
#endif

/// One process of a fleet: makes calls with a credential that it shares with others.
@main
struct CredentialWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 5 else {
            print(
                "usage: CredentialWorker (file PATH | etcd KEY@URL | redis KEY@URL) SERVER NAME (never | MOMENT)"
            )
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
        let source = StoredCredentialSource(
            in: MortalStore(try store(arguments[0], arguments[1], pipeline), dying: arguments[4]),
            refreshedBy: RefreshTokenSource(at: endpoint)
        )
        let client = try HTTP.Client(transport: transport) {
            TokenInterceptor(source: source, origins: [origin], policy: policy)
        }
        let worker = Worker(client: client, bare: pipeline, origin: origin, name: arguments[3])
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try await worker.run() } }
            try await group.waitForAll()
        }
    }

    private static func store(
        _ kind: String,
        _ place: String,
        _ pipeline: Pipeline<HTTP.Request>
    ) throws -> MortalStore.Kept {
        let parts = place.split(separator: "@").map(String.init)
        #if Redis
        if kind == "redis" {
            let redis = try RedisClient(parts[1])
            return try RedisCredentialStore(redis, key: parts[0], lease: .seconds(2))
        }
        #endif
        guard kind == "etcd" else { return CredentialFile(place) }
        return try EtcdCredentialStore(
            [HTTP.URL(unvalidated: parts[1])],
            key: parts[0],
            pipeline: pipeline,
            lease: .seconds(2)
        )
    }

    // Tokens of a test are used up fast, and refreshed as often.
    private static var policy: RefreshPolicy {
        var policy = RefreshPolicy.standard
        policy.backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(200), jitter: .none)
        policy.limit = 100_000
        return policy
    }
}

struct Worker {
    let client: HTTP.Client
    let bare: Pipeline<HTTP.Request>
    let origin: HTTP.Origin
    let name: String

    /// Makes calls until the server says that this worker's are done, however often some are refused.
    func run() async throws {
        while true {
            do {
                let request = HTTP.Request.get("\(origin)/orders", headers: ["X-Worker": name])
                let response = try await client.send(request)
                await response.discard()
                if response.status == 410 { return }
            } catch let error as CredentialStoreError where error.requiresSignIn {
                await report("problem=\(error.code)")
            } catch let error as CredentialStoreError {
                await report("failure=\(error.code)")
            } catch let error as TokenError {
                await report("failure=\(error.code)")
            }
        }
    }

    private func report(_ text: String) async {
        await (try? bare.run(.get("\(origin)/report?\(raw: text)")))?.discard()
    }
}
