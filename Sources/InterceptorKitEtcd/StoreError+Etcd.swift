import InterceptorKit
import InterceptorKitSharedState

extension StoreError {
    static func refused(_ status: HTTP.Status) -> StoreError {
        StoreError(.unreachable, "The etcd cluster answered \(status).")
    }

    static func unreachable(members: Int, cause: (any Error)?) -> StoreError {
        StoreError(
            .unreachable,
            "None of the \(members) members of the etcd cluster could be asked.",
            cause: cause
        )
    }

    static func malformed(cause: (any Error)?) -> StoreError {
        StoreError(
            .malformedResponse,
            "The server is not an etcd JSON gateway, or its version is not supported (3.4 and "
                + "later are). Check the endpoints.",
            cause: cause
        )
    }

    static func watchEnded(cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .watchEnded,
            "The etcd cluster, or a proxy on the way to it, ended a watch before its time.",
            cause: cause
        )
    }
}

extension EtcdGateway {
    /// - Parameters:
    ///   - owner: The type that owns the settings, for errors.
    ///   - prefix: The prefix of the keys.
    init(
        of owner: String,
        members: [HTTP.URL],
        prefix: String,
        pipeline: Pipeline<HTTP.Request>,
        timeout: Duration,
        runtime: Runtime
    ) throws(SettingError) {
        let check = SettingCheck(of: owner)
        try check.etcd(members, named: "members", timeout: timeout)
        try check.require(!prefix.isEmpty, "prefix", "empty", "a text")
        self.init(endpoints: members, pipeline: pipeline, timeout: timeout, runtime: runtime)
    }

    /// Grants a lease of at least a duration, since leases last whole seconds.
    nonisolated(nonsending) func grantLease(
        ofAtLeast duration: Duration
    ) async throws -> EtcdNumber {
        try await grantLease(.seconds(duration.secondsRoundedUp))
    }
}

extension SettingCheck {
    func etcd(
        _ members: [HTTP.URL],
        named name: String,
        timeout: Duration
    ) throws(SettingError) {
        try require(!members.isEmpty, name, "empty", "a list of at least one URL")
        let areComplete = members.allSatisfy { $0.origin != nil }
        try require(areComplete, name, "a list with a relative URL", "a list of complete URLs")
        try positive("timeout", timeout)
    }
}
