import InterceptorKit
import InterceptorKitTesting
import Testing

/// Names the tenant a request is for, and refuses a response that was made for another.
///
/// A call's own tenant wins over the interceptor's. Put it **above** signing, so that a signature
/// covers the field.
struct TenantInterceptor: Interceptor {
    private let tenant: String

    /// Creates an interceptor.
    /// - Parameter tenant: ASCII letters, digits and dashes; anything else fails when a pipeline is
    ///   built.
    init(_ tenant: String) { self.tenant = tenant }

    var placement: Placement? { .requestPreparation }

    func validate() throws {
        let allowed = tenant.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard allowed, !tenant.isEmpty else { throw TenantError.invalidName }
    }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let tenant = chain.call.tenant ?? tenant
        let response = try await chain.proceed { $0.headers["X-Tenant"] = tenant }
        guard let answered = response.headers["X-Tenant"], answered != tenant else {
            return response
        }
        chain.call.emit("tenant.mismatched")
        await response.discard()
        throw TenantError.mismatch
    }
}

private enum TenantKey: CallKey {
    static let defaultValue: String? = nil
}

extension Call {
    /// The tenant of this call alone; `nil`, the default, leaves it to the interceptor.
    var tenant: String? {
        get { self[TenantKey.self] }
        set { self[TenantKey.self] = newValue }
    }
}

enum TenantError: Error, CustomStringConvertible {
    case invalidName
    case mismatch

    var description: String {
        switch self {
        case .invalidName: "A tenant's name has ASCII letters, digits and dashes only."
        case .mismatch: "The server answered for another tenant. The response was not used."
        }
    }
}

extension Placement {
    static let audit = Placement("audit", inside: [.retry], outside: [.signing])
        .consequence(outside: [.retry], "all attempts would be one entry in the audit")
}

/// The tests of the guide's interceptor.
@Suite struct WriteAnInterceptorTests {
    @Test("the request names the call's tenant, or else the interceptor's")
    func names() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(200), .status(200)])
        // A clock that stands still: no time limit ends on a busy machine.
        let runtime = Runtime.virtual(clock: VirtualClock())
        let client = try HTTP.Client(transport: transport, runtime: runtime) {
            TenantInterceptor("acme")
        }

        _ = try await client.send(.get("https://api.example.com/orders"))
        _ = try await client.send(.get("https://api.example.com/orders")) { $0.tenant = "other" }

        #expect(transport.sent.map { $0.input.headers["X-Tenant"] } == ["acme", "other"])
    }

    @Test("a response for another tenant is refused and reported in an event")
    func refuses() async throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [
            .status(200, headers: ["X-Tenant": "other"])
        ])
        let events = RecordingEventSink()
        let runtime = Runtime.virtual(clock: VirtualClock())
        let client = try HTTP.Client(transport: transport, runtime: runtime, events: events) {
            TenantInterceptor("acme")
        }

        await #expect(throws: TenantError.mismatch) {
            try await client.send(.get("https://api.example.com/orders"))
        }

        #expect(events.names.contains("tenant.mismatched"))
    }

    @Test("an invalid tenant name fails when the client is created")
    func validates() {
        let transport = ScriptedTransport<HTTP.Request>(replies: [])

        let error = #expect(throws: PipelineError.self) {
            try HTTP.Client(transport: transport) { TenantInterceptor("acme\r\nX-Admin: 1") }
        }

        #expect(error?.code == .invalidSetting)
    }
}
