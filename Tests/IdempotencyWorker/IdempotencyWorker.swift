import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitCurl
import InterceptorKitEtcd
import InterceptorKitRedis
import InterceptorKitSharedState
import Synchronization

/// One replica of a fleet: takes orders from the test, makes them through an interceptor, and is killed.
@main
struct IdempotencyWorker {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3 else {
            print("usage: IdempotencyWorker (etcd PREFIX@URL | redis URL) SERVER")
            exit(2)
        }
        let transport = try CurlTransport()
        let pipeline = try Pipeline<HTTP.Request>(transport: transport) {}
        let replica = try Replica(
            store: store(arguments[0], arguments[1], pipeline),
            shop: Shop(pipeline: pipeline, origin: HTTP.Origin(arguments[2]))
        )
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { await replica.run() } }
        }
    }

    private static func store(
        _ kind: String,
        _ place: String,
        _ pipeline: Pipeline<HTTP.Request>
    ) throws -> any IdempotencyStore {
        let parts = place.split(separator: "@").map(String.init)
        switch (kind, parts.count) {
        case ("etcd", 2):
            return try EtcdIdempotencyStore(
                parts[0],
                of: [HTTP.URL(unvalidated: parts[1])],
                pipeline: pipeline
            )
        #if Redis
        case ("redis", 1):
            return RedisIdempotencyStore(try RedisClient(place))
        #endif
        default:
            print("There is no store \(kind) at \(place).")
            exit(2)
        }
    }
}

/// The moment at which a process ends itself, by the signal that cannot be caught.
enum Death: String {
    case never, claiming, claimed, committing, committed, completing, completed

    func strike(_ moment: Death) {
        if self == moment { kill(getpid(), SIGKILL) }
    }
}

struct Replica: Sendable {
    let store: any IdempotencyStore
    let shop: Shop

    /// Takes orders until there are no more.
    func run() async {
        while let (key, death) = await shop.next() {
            guard let answer = await answer(to: key, death) else { continue }
            await shop.report(answer, of: key)
        }
    }

    private func answer(to key: String, _ death: Death) async -> HTTP.Response? {
        var policy = IdempotencyPolicy()
        policy.lease = .seconds(2)
        policy.runsAgain = true
        policy.longestWait = .milliseconds(500)
        let handler = Handler(shop: shop, key: key, death: death)
        let pipeline = try? Pipeline(transport: handler) {
            IdempotencyInterceptor(MortalStore(store: store, death: death), policy: policy) {
                _,
                _ in
                "alice"
            }
        }
        var request = HTTP.Request.post("https://shop.example/orders", body: .text("1 tea"))
        request.headers["Idempotency-Key"] = key
        return try? await pipeline?.run(request, call: Call())
    }
}

/// Commits an order with the token of its lease.
private struct Handler: Transport {
    let shop: Shop
    let key: String
    let death: Death

    func send(_ input: HTTP.Request, call: Call) async throws -> HTTP.Response {
        guard let lease = call.idempotencyLease else { return HTTP.Response(500) }
        let order = try await shop.commit(key, lease, death)
        death.strike(.committed)
        // The run's own token tells records of two runs apart.
        return HTTP.Response(201, body: .text("order \(order), run \(lease.token)"))
    }
}

/// A store whose process ends when it is asked, or when it has answered.
private struct MortalStore: IdempotencyStore {
    let store: any IdempotencyStore
    let death: Death

    /// Ends the process while a question is on its way, or once it is answered.
    private func ask<Answer: Sendable>(
        _ during: Death,
        _ after: Death,
        _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        async let answer = question()
        if death == during {
            // So that it is under way, at one point or another.
            for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
            death.strike(during)
        }
        let result = try await answer
        death.strike(after)
        return result
    }

    func claim(
        _ key: IdempotencyRecordKey,
        holder: String,
        fingerprint: Data,
        terms: IdempotencyTerms
    ) async throws -> IdempotencyClaim {
        try await ask(.claiming, .claimed) {
            try await store.claim(key, holder: holder, fingerprint: fingerprint, terms: terms)
        }
    }

    func extend(_ lease: IdempotencyLease, terms: IdempotencyTerms) async throws -> Bool {
        try await store.extend(lease, terms: terms)
    }

    func complete(
        _ lease: IdempotencyLease,
        with response: Data,
        keepingFor lifetime: Duration
    ) async throws -> Bool {
        try await ask(.completing, .completed) {
            try await store.complete(lease, with: response, keepingFor: lifetime)
        }
    }

    func release(_ lease: IdempotencyLease) async throws -> Bool {
        try await store.release(lease)
    }

    func abandon(_ lease: IdempotencyLease, keepingFor lifetime: Duration) async throws -> Bool {
        try await store.abandon(lease, keepingFor: lifetime)
    }
}

/// The test's server, which has the orders and the database.
struct Shop: Sendable {
    let pipeline: Pipeline<HTTP.Request>
    let origin: HTTP.Origin

    func next() async -> (key: String, death: Death)? {
        guard let response = try? await pipeline.run(.get("\(origin)/next?process=\(getpid())")),
            response.status == 200, let text = try? await response.text()
        else { return nil }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 2 else { return nil }
        return (parts[0], Death(rawValue: parts[1]) ?? .never)
    }

    func commit(
        _ key: String,
        _ lease: IdempotencyLease,
        _ death: Death
    ) async throws -> String {
        async let response = pipeline.run(
            .post("\(origin)/commit?key=\(key)&token=\(lease.token)")
        )
        if death == .committing {
            for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
            death.strike(.committing)
        }
        let answer = try await response
        guard answer.status == 200 else { throw CommitRefused() }
        return try await answer.text()
    }

    private struct CommitRefused: Error {}

    func report(_ response: HTTP.Response, of key: String) async {
        let isReplayed = response.headers["Idempotent-Replayed"] != nil
        let text = (try? await response.text()) ?? ""
        _ = try? await pipeline.run(
            .post(
                "\(origin)/answer?process=\(getpid())&key=\(key)&status=\(response.status.code)&replayed=\(isReplayed)",
                body: .text(text)
            )
        )
    }
}
