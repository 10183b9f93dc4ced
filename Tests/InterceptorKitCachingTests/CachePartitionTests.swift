import Expectations
import InterceptorKit
import InterceptorKitCaching
import InterceptorKitConcurrency
import InterceptorKitTesting
import Synchronization
import TestSupport
import Testing

@Suite("CachePartition")
struct CachePartitionTests {
    @Test(
        "a response for one user is not served to another",
        arguments: ["Authorization", "Cookie", "Proxy-Authorization"]
    )
    func visible(field: String) async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation)

            let texts = [
                try await service.text([field: "alice"]), try await service.text([field: "bob"]),
                try await service.text(), try await service.text([field: "alice"]),
            ]

            expectEqual(texts, ["1", "2", "3", "1"])
        }
    }

    @Test("a credential added below the cache keeps all but public responses out")
    func unseen() async throws {
        try await onEverySeed(0..<5) { simulation in
            func texts(_ fields: HTTP.Headers, _ partition: CachePartition) async throws -> [String]
            {
                let service = try CachedService(simulation, fields, partition: partition) {
                    TokenInterceptor(
                        source: FixedCredentialSource(.bearer("secret")),
                        origins: ["https://api.example.com"]
                    )
                }
                return [try await service.text(), try await service.text()]
            }

            let plain: HTTP.Headers = ["Cache-Control": "max-age=60"]
            let all = [
                try await texts(plain, .visibleCredentials),
                try await texts(["Cache-Control": "max-age=60, public"], .visibleCredentials),
                try await texts(plain, .oneIdentity), try await texts(plain, .by { _, _ in "me" }),
            ]

            expectEqual(all, [["1", "2"], ["1", "1"], ["1", "1"], ["1", "1"]])
        }
    }

    @Test("a response with Set-Cookie is stored only for a single identity")
    func cookies() async throws {
        try await onEverySeed(0..<5) { simulation in
            func texts(_ partition: CachePartition) async throws -> [String] {
                let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "Set-Cookie": "sid=1"]
                let service = try CachedService(simulation, fields, partition: partition)
                return [try await service.text(), try await service.text()]
            }

            let all = [
                try await texts(.visibleCredentials), try await texts(.oneIdentity),
                try await texts(.by { _, _ in "me" }),
            ]

            expectEqual(all, [["1", "2"], ["1", "1"], ["1", "1"]])
        }
    }

    @Test(
        "fields of a 304 for one caller are not served to another",
        arguments: [
            (CachePolicy.Scope.private, "Set-Cookie", "sid=1"), (.shared, "Set-Cookie", "sid=1"),
            (.shared, "Cache-Control", "private, max-age=60"),
        ]
    )
    func confirmations(scope: CachePolicy.Scope, name: String, value: String) async throws {
        try await onEverySeed(0..<5) { simulation in
            let policy = CachePolicy(scope: scope)
            let service = try CachedService(simulation, policy: policy) { request, _ in
                guard request.headers.contains("If-None-Match") else {
                    let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "ETag": #""1""#]
                    return HTTP.Response(200, headers: fields, body: "content")
                }
                return HTTP.Response(304, headers: ["ETag": #""1""#, name: value])
            }

            _ = try await service.text()
            try await service.pass(61)
            let asking = try await service.get()
            let other = try await service.get()

            expectEqual(asking.cacheStatus, .validated)
            expectEqual(asking.headers[name], value)
            try await expectEqual(asking.text(), "content")
            expectEqual(other.cacheStatus, .miss)
            expectTrue(other.headers[name] != value)
        }
    }

    @Test("a 304 for a credential added below the cache is not stored")
    func confirmedUnseen() async throws {
        try await onEverySeed(0..<5) { simulation in
            let isSignedIn = Lock(false)
            let service = try CachedService(
                simulation,
                answering: { request, _ in
                    let isKnown = request.headers.contains("If-None-Match")
                    let fields: HTTP.Headers = ["Cache-Control": "max-age=60", "ETag": #""1""#]
                    return HTTP.Response(isKnown ? 304 : 200, headers: fields, body: "content")
                },
                below: {
                    AnyInterceptor { chain in
                        guard isSignedIn.withLock(\.self) else { return try await chain.proceed() }
                        let call = chain.call.credentialFields(adding: ["Authorization"])
                        return try await chain.proceed(chain.input, call: call)
                    }
                }
            )

            _ = try await service.text()
            try await service.pass(61)
            isSignedIn.withLock { $0 = true }
            let statuses = [
                try await service.get().cacheStatus, try await service.get().cacheStatus,
            ]

            expectEqual(statuses, [.validated, .miss])
        }
    }

    @Test("calls that name different credentials are kept apart")
    func named() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation, partition: .oneIdentity)
            func text(_ name: String?) async throws -> String {
                try await service.client.send(.get(orders), configure: { $0.credentialName = name })
                    .text()
            }

            let texts = [try await text("a"), try await text("b"), try await text("a")]

            expectEqual(texts, ["1", "2", "1"])
        }
    }

    @Test("a custom name keeps users apart, and without one nothing is cached")
    func chosen() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(
                simulation,
                partition: .by { request, _ in request.headers["User"] }
            )

            let texts = [
                try await service.text(["User": "1"]), try await service.text(["User": "2"]),
                try await service.text(["User": "1"]), try await service.text(),
                try await service.text(),
            ]

            expectEqual(texts, ["1", "2", "1", "3", "4"])
        }
    }

    @Test("a call value without a text form keeps the call out of the cache")
    func textless() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation, partition: .oneIdentity)
            func text(_ place: Place) async throws -> String {
                try await service.client.send(
                    .get(orders),
                    configure: { $0[PlaceKey.self] = place }
                )
                .text()
            }

            let texts = [
                try await text(Place(x: 1, y: 2)), try await text(Place(x: 1, y: 2)),
                try await text(Place(x: 0, y: 0)), try await text(Place(x: 0, y: 0)),
            ]

            expectEqual(texts, ["1", "2", "3", "3"])
        }
    }

    @Test("a call value with a text form is part of the key")
    func rawText() async throws {
        try await onEverySeed(0..<5) { simulation in
            let service = try CachedService(simulation, partition: .oneIdentity)
            func text(_ tenant: Tenant) async throws -> String {
                try await service.client.send(
                    .get(orders),
                    configure: { $0[TenantKey.self] = tenant }
                )
                .text()
            }

            let texts = [
                try await text(Tenant(rawValue: "a")), try await text(Tenant(rawValue: "b")),
                try await text(Tenant(rawValue: "a")), try await text(Tenant(rawValue: "")),
            ]

            expectEqual(texts, ["1", "2", "1", "3"])
        }
    }

    @Test("a shared cache stores only responses meant for all users")
    func shared() async throws {
        try await onEverySeed(0..<5) { simulation in
            func texts(_ control: String, _ more: HTTP.Headers = [:]) async throws -> [String] {
                var fields: HTTP.Headers = ["Cache-Control": control]
                for field in more { fields.append(name: field.name, value: field.value) }
                let service = try CachedService(
                    simulation,
                    fields,
                    policy: CachePolicy(scope: .shared)
                )
                return [
                    try await service.text(["Authorization": "alice"]),
                    try await service.text(["Authorization": "bob"]),
                ]
            }

            let all = [
                try await texts("max-age=60"), try await texts("max-age=60, public"),
                try await texts("s-maxage=60"), try await texts("max-age=60, must-revalidate"),
                try await texts("max-age=60, public, private"),
                try await texts("max-age=60, public", ["Set-Cookie": "a=b"]),
            ]

            expectEqual(all.map { $0 == ["1", "1"] }, [false, true, true, true, false, false])
        }
    }

    @Test("no policy makes a shared cache store a private response")
    func forced() async throws {
        try await onEverySeed(0..<5) { simulation in
            let asked = Recorder<Void>()
            let policy = CachePolicy(scope: .shared) { _, _ in
                asked.note(())
                return .fresh(for: .seconds(60))
            }
            let service = try CachedService(
                simulation,
                ["Cache-Control": "private, max-age=60"],
                policy: policy
            )

            let texts = [try await service.text(), try await service.text()]

            expectEqual(texts, ["1", "2"])
            expectTrue(asked.entries.isEmpty)
        }
    }
}

private struct Place: Hashable, Sendable {
    var x = 0
    var y = 0
}

private struct Tenant: RawRepresentable, Hashable, Sendable {
    var rawValue = ""
}

private enum TenantKey: PartitioningCallKey {
    static let defaultValue = Tenant()
}

private enum PlaceKey: PartitioningCallKey {
    static let defaultValue = Place()
}
