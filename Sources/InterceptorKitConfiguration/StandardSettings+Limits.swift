#if Configuration
import InterceptorKit

extension StandardSettings<HTTP.Request> {
    mutating func readLimits(_ values: inout ConfigurationValues) throws(ConfigurationError) {
        try readConcurrencyLimit(&values)
        try readRateLimit(&values)
        try readAdaptiveLimit(&values)
    }

    private mutating func readConcurrencyLimit(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        try values.read("concurrencyLimit", &concurrencyLimit, .safetyNet) {
            policy,
            group throws(ConfigurationError) in
            try group.set(&policy.limit, "limit")
            try group.set(&policy.queueLimit, "queueLimit")
            if let wait = try group.seconds("maxWaitSeconds") { policy.maxWait = wait }
            try group.check(policy.validate)
        }
    }

    private mutating func readRateLimit(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        try values.read("rateLimit", &rateLimit, .asAdvised) {
            policy,
            group throws(ConfigurationError) in
            // A burst that was not set explicitly equals the number of calls.
            let followsCalls = policy.calls == nil || policy.burst == policy.calls
            if let calls = try group.int("calls") {
                policy.calls = calls
                if followsCalls { policy.burst = calls }
            }
            try group.set(&policy.period, "periodSeconds")
            try group.set(&policy.burst, "burst")
            try group.set(&policy.queueLimit, "queueLimit")
            try group.set(&policy.maxPause, "maxPauseSeconds")
            try group.check(policy.validate)
        }
    }

    private mutating func readAdaptiveLimit(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        try values.read("adaptiveLimit", &adaptiveLimit, .init()) {
            policy,
            group throws(ConfigurationError) in
            try group.set(&policy.initial, "initial")
            let minimum = try group.int("minimum") ?? policy.range.lowerBound
            let maximum = try group.int("maximum") ?? policy.range.upperBound
            // A range with reversed bounds would trap.
            guard 1 <= minimum, minimum <= maximum else {
                throw .invalid(
                    group.shown.filter { !$0.key.ends(with: ".initial") },
                    "The limit is from \(minimum) to \(maximum), and must be from at least 1 to no less."
                )
            }
            policy.range = minimum...maximum
            try group.set(&policy.queueLimit, "queueLimit")
            try group.set(&policy.maxWait, "maxWaitSeconds")
            try group.check(policy.validate)
        }
    }
}
#endif
