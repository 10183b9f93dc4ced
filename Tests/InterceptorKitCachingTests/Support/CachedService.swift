import InterceptorKit
import InterceptorKitCaching
import InterceptorKitTesting
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A service behind a cache, in the time of a simulation: each answer's body is its number.
struct CachedService {
    let cache: CacheInterceptor
    let transport: ScriptedTransport<HTTP.Request>
    let client: HTTP.Client
    let sink = RecordingEventSink()
    let runtime: Runtime

    init(
        _ simulation: Simulation,
        _ fields: HTTP.Headers = ["Cache-Control": "max-age=60"],
        store: any CacheStore = MemoryCacheStore(),
        policy: CachePolicy = CachePolicy(),
        partition: CachePartition = .visibleCredentials,
        @InterceptorBuilder<HTTP.Request> below: () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws {
        let count = Recorder<Void>()
        try self.init(
            simulation,
            store: store,
            policy: policy,
            partition: partition,
            answering: { _, _ in
                count.note(())
                return HTTP.Response(200, headers: fields, body: .text("\(count.entries.count)"))
            },
            below: below
        )
    }

    init(
        _ simulation: Simulation,
        store: any CacheStore = MemoryCacheStore(),
        policy: CachePolicy = CachePolicy(),
        partition: CachePartition = .visibleCredentials,
        answering answer: @escaping @Sendable (HTTP.Request, Call) async throws -> HTTP.Response,
        @InterceptorBuilder<HTTP.Request> below: () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws {
        cache = CacheInterceptor(store: store, policy: policy, partition: partition)
        transport = ScriptedTransport(answer)
        runtime = simulation.runtime
        let (cache, below) = (cache, below())
        client = try simulation.client(transport, events: sink) {
            cache
            below
        }
    }

    var sends: Int { transport.sent.count }

    /// The reasons of events of a name.
    func reasons(_ name: Event.Name) -> [String] {
        sink.events.filter { $0.name == name }.compactMap { $0.attributes["reason"]?.description }
    }

    func get(_ fields: HTTP.Headers = [:]) async throws -> HTTP.Response {
        try await client.send(.get(orders, headers: fields))
    }

    /// The text of a response, read to its end.
    func text(_ fields: HTTP.Headers = [:]) async throws -> String {
        try await get(fields).text()
    }

    func pass(_ seconds: Int) async throws { try await runtime.sleep(for: .seconds(seconds)) }
}
