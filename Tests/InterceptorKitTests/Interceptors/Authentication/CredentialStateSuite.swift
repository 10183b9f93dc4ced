import InterceptorKitTesting
import TestSupport

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What tests of the refresh machine have in common: what it says, as short texts.
protocol CredentialStateSuite {}

extension CredentialStateSuite {
    var start: Date { Simulation.startDate }

    /// A machine that holds `old`, which expires after some seconds.
    func loaded(
        expiringAfter lifetime: Double? = nil,
        policy: RefreshPolicy = .standard
    ) -> CredentialState {
        var credentialState = CredentialState(policy)
        let expiry = lifetime.map { start.addingTimeInterval($0) }
        guard case .begin(let operation) = credentialState.action(for: .any, at: .start, start)
        else { return credentialState }
        _ = credentialState.finish(
            operation,
            .success(.bearer("old", expiresAt: expiry, refreshToken: "r0")),
            at: .start,
            start,
            fraction: 0
        )
        return credentialState
    }

    func action(
        _ credentialState: inout CredentialState,
        _ requirement: CredentialState.Requirement,
        after seconds: Double = 0
    ) -> String {
        let now = Runtime.Instant(offset: .seconds(seconds))
        return
            switch credentialState.action(
                for: requirement,
                at: now,
                start.addingTimeInterval(seconds)
            )
        {
        case .use(let cached): "use \(cached.version)\(cached.credential == nil ? " (none)" : "")"
        case .refuse(let error): "refuse: \((error as? TokenError)?.code.description ?? "\(error)")"
        case .wait(let operation): "wait for \(operation)"
        case .begin(let operation): "begin \(operation.id)"
        }
    }

    func finish(
        _ credentialState: inout CredentialState,
        _ operation: CredentialState.Operation,
        _ result: Result<Credential?, any Error>,
        after seconds: Double = 0
    ) -> String {
        let completion = credentialState.finish(
            operation,
            result,
            at: Runtime.Instant(offset: .seconds(seconds)),
            start.addingTimeInterval(seconds),
            fraction: 0
        )
        guard let completion else { return "discarded" }
        let next =
            switch completion.next {
            case .success(let operation): ", begin \(operation.id)"
            case .failure: ", refuse the next"
            case nil: ""
            }
        return "\(completion.change)\(next)"
    }
}

extension Runtime.Instant {
    static let start = Runtime.Instant(offset: .zero)
}
