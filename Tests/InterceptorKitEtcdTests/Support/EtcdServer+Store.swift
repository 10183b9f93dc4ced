import InterceptorKit
import InterceptorKitAuthentication
import InterceptorKitEtcd

extension EtcdServer {
    func store(
        pipeline: Pipeline<HTTP.Request>? = nil,
        lease: Duration = .seconds(2),
        lockTimeout: Duration = .seconds(20)
    ) throws -> EtcdCredentialStore {
        try EtcdCredentialStore(
            [url],
            key: "app/credential",
            pipeline: pipeline ?? self.pipeline(),
            lease: lease,
            lockTimeout: lockTimeout,
            timeout: .seconds(2)
        )
    }
}

/// The code that a store's operation fails with; another error stands as its description.
func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
    do {
        try await body()
        return nil
    } catch let error as CredentialStoreError {
        return error.code
    } catch {
        return .init(description: "\(error)")
    }
}
