import InterceptorKitTesting
import TestSupport

@testable import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What tests of the renewal machine have in common: what it says, as short texts.
protocol RenewalSuite {}

extension RenewalSuite {
    var start: Date { Simulation.startDate }

    /// A machine that holds `old`, which expires after some seconds.
    func loaded(
        expiringAfter lifetime: Double? = nil,
        policy: RenewalPolicy = .standard
    ) -> Renewal {
        var renewal = Renewal(policy)
        let expiry = lifetime.map { start.addingTimeInterval($0) }
        guard case .begin(let job) = renewal.answer(.any, at: .start, start) else { return renewal }
        _ = renewal.finish(
            job,
            .success(.bearer("old", expiresAt: expiry, refreshToken: "r0")),
            at: .start,
            start,
            fraction: 0
        )
        return renewal
    }

    func answer(
        _ renewal: inout Renewal,
        _ demand: Renewal.Demand,
        after seconds: Double = 0
    ) -> String {
        let now = Runtime.Instant(offset: .seconds(seconds))
        return switch renewal.answer(demand, at: now, start.addingTimeInterval(seconds)) {
        case .use(let held): "use \(held.version)\(held.credential == nil ? " (none)" : "")"
        case .refuse(let error): "refuse: \((error as? TokenError)?.code.description ?? "\(error)")"
        case .wait(let job): "wait for \(job)"
        case .begin(let job): "begin \(job.id)"
        }
    }

    func finish(
        _ renewal: inout Renewal,
        _ job: Renewal.Job,
        _ result: Result<Credential?, any Error>,
        after seconds: Double = 0
    ) -> String {
        let settlement = renewal.finish(
            job,
            result,
            at: Runtime.Instant(offset: .seconds(seconds)),
            start.addingTimeInterval(seconds),
            fraction: 0
        )
        guard let settlement else { return "discarded" }
        let next =
            switch settlement.next {
            case .success(let job): ", begin \(job.id)"
            case .failure: ", refuse the next"
            case nil: ""
            }
        return "\(settlement.change)\(next)"
    }
}

extension Runtime.Instant {
    static let start = Runtime.Instant(offset: .zero)
}
