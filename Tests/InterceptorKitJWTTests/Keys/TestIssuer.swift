#if JWT
import Foundation
import InterceptorKit
import InterceptorKitTesting
import Synchronization

@testable import InterceptorKitJWT

/// An issuer in virtual time, whose keys change and which may be away.
final class TestIssuer: Sendable {
    struct State {
        var ids = ["k0"]
        var headers: HTTP.Headers = [:]
        var isAway = false
        /// The instants at which keys, and metadata, were asked for.
        var keyRequests: [Runtime.Instant] = []
        var metadataRequests: [Runtime.Instant] = []
    }

    static let url = "https://issuer.example"

    let runtime: Runtime
    // No `Lock`, which is not specialized in other modules: these runs are many.
    let state = Mutex(State())
    private let delay: @Sendable () -> Duration

    /// - Parameter delay: The time until an answer, in whose beginning its content is decided.
    init(_ runtime: Runtime, delay: @escaping @Sendable () -> Duration = { .milliseconds(50) }) {
        self.runtime = runtime
        self.delay = delay
    }

    var keyRequests: Int { state.withLock { $0.keyRequests.count } }
    var metadataRequests: Int { state.withLock { $0.metadataRequests.count } }

    var newestID: String { state.withLock { $0.ids.last ?? "" } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Returns a set of this issuer's keys.
    func keySet(
        timeout: Duration? = nil,
        _ change: (inout JSONWebKeySetPolicy) -> Void = { _ in }
    ) throws -> JSONWebKeySet {
        var policy = JSONWebKeySetPolicy.standard
        change(&policy)
        let client = HTTP.Client(transport: transport, timeout: timeout, runtime: runtime)
        return try JSONWebKeySet(issuer: Self.url, over: client, policy: policy)
    }

    private var transport: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { [self] request, _ in try await answer(request) }
    }

    func answer(_ request: HTTP.Request) async throws -> HTTP.Response {
        let isMetadata = request.url.path.begins(with: "/.well-known/")
        let (ids, headers, isAway) = state.withLock { state in
            if isMetadata {
                state.metadataRequests.append(runtime.now)
            } else {
                state.keyRequests.append(runtime.now)
            }
            return (state.ids, state.headers, state.isAway)
        }
        try await runtime.sleep(for: delay())
        if isAway { throw TransportError(.cannotConnect, "The issuer is away.") }
        let content =
            isMetadata
            ? Data(#"{"issuer":"\#(Self.url)","jwks_uri":"\#(Self.url)/keys"}"#.utf8)
            : set(ids.map { key($0) })
        return HTTP.Response(200, headers: headers, body: .bytes(content))
    }
}

extension JSONWebKeySet {
    /// Returns whether the set has a key with an id.
    nonisolated(nonsending) func has(_ id: String, on call: Call) async throws -> Bool {
        try await !keys(for: id, algorithm: "EdDSA", on: call).isEmpty
    }
}
#endif
