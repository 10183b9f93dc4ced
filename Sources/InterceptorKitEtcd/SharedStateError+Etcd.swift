import InterceptorKit
import InterceptorKitSharedState

extension SharedStateError {
    /// The failure of a request to the gateway, for stores of shared state.
    init(_ error: EtcdError) {
        self.init(
            error.code == .malformedResponse ? .malformedRecord : .unreachable,
            error.message,
            cause: error.cause
        )
    }

    static func invalidEtcdSettings(_ what: String) -> SharedStateError {
        SharedStateError(
            .invalidSettings,
            "\(what) in etcd take at least one member, each a complete URL, a prefix that is not empty, and a "
                + "timeout of more than zero."
        )
    }
}

extension EtcdGateway {
    /// A gateway for a store of shared state.
    init(
        stateIn members: [HTTP.URL],
        of what: String,
        prefix: String,
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration,
        runtime: Runtime
    ) throws(SharedStateError) {
        guard !members.isEmpty, members.allSatisfy({ $0.origin != nil }), !prefix.isEmpty,
            timeout > .zero
        else { throw .invalidEtcdSettings(what) }
        self.init(
            endpoints: members,
            pipeline: pipeline,
            timeout: timeout,
            runtime: runtime,
            wording: { SharedStateError($0) }
        )
    }

    /// A lease of at least so long; leases have whole seconds.
    nonisolated(nonsending) func grantLease(
        ofAtLeast duration: Duration
    ) async throws -> EtcdNumber {
        try await grantLease(.seconds(duration.secondsRoundedUp))
    }
}
