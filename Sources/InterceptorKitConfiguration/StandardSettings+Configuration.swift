#if Configuration
import InterceptorKit

extension StandardSettings<HTTP.Request> {
    /// Sets each setting whose key has a value.
    mutating func read(_ values: inout ConfigurationValues) throws(ConfigurationError) {
        totalTimeout = try values.timeout("totalTimeoutSeconds") ?? totalTimeout
        attemptTimeout = try values.timeout("attemptTimeoutSeconds") ?? attemptTimeout
        try readRetry(&values)
        try readHedge(&values)
        try readBreaker(&values)
        try readLimits(&values)
    }

    private mutating func readRetry(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        try values.read("retry", &retry, .standard) { policy, group throws(ConfigurationError) in
            try group.set(&policy.maxAttempts, "maxAttempts")
            try group.set(&policy.backoff.base, "backoff.baseSeconds")
            try group.set(&policy.backoff.cap, "backoff.capSeconds")
            try group.set(&policy.overloadBackoff.base, "overloadBackoff.baseSeconds")
            try group.set(&policy.overloadBackoff.cap, "overloadBackoff.capSeconds")
            try group.set(&policy.respectsRetryAfter, "respectsRetryAfter")
            try group.set(&policy.maxRetryAfter, "maxRetryAfterSeconds")
            try group.check(policy.validate)
        }
    }

    private mutating func readHedge(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        try values.read("hedge", &hedge, .standard) { policy, group throws(ConfigurationError) in
            try group.set(&policy.maxAttempts, "maxAttempts")
            if let delay = try group.seconds("delaySeconds") { policy.delay = .fixed(delay) }
            try group.check(policy.validate)
        }
    }

    private mutating func readBreaker(
        _ values: inout ConfigurationValues
    ) throws(ConfigurationError) {
        let existing = breaker
        var policy = existing?.policy
        try values.read("breaker", &policy, .init()) { policy, group throws(ConfigurationError) in
            try group.set(&policy.failureRatio, "failureRatio")
            try group.set(&policy.minimumCalls, "minimumCalls")
            try group.set(&policy.window, "windowSeconds")
            if let slow = try group.seconds("slowCallDurationSeconds") {
                policy.slowCallDuration = slow
            }
            try group.set(&policy.slowCallRatio, "slowCallRatio")
            try group.set(&policy.breakDuration, "breakDurationSeconds")
            try group.set(&policy.maxBreakDuration, "maxBreakDurationSeconds")
            try group.set(&policy.successesToClose, "successesToClose")
            try group.check(policy.validate)
        }
        breaker = policy.map { policy in
            if let existing, existing.policy == policy { return existing }
            return CircuitBreaker(
                policy: policy,
                mode: existing?.mode ?? .automatic,
                breakDuration: existing?.breakDuration
            )
        }
    }
}

/// The values of one strategy, whose keys begin with the strategy's name.
struct ConfigurationGroup {
    let name: String
    var values: ConfigurationValues

    mutating func set(_ setting: inout Int, _ key: String) throws(ConfigurationError) {
        if let value = try values.int("\(name).\(key)") { setting = value }
    }

    mutating func set(_ setting: inout Double, _ key: String) throws(ConfigurationError) {
        if let value = try values.double("\(name).\(key)") { setting = value }
    }

    mutating func set(_ setting: inout Bool, _ key: String) throws(ConfigurationError) {
        if let value = try values.bool("\(name).\(key)") { setting = value }
    }

    mutating func set(_ setting: inout Duration, _ key: String) throws(ConfigurationError) {
        if let value = try seconds(key) { setting = value }
    }

    mutating func int(_ key: String) throws(ConfigurationError) -> Int? {
        try values.int("\(name).\(key)")
    }

    mutating func seconds(_ key: String) throws(ConfigurationError) -> Duration? {
        try values.seconds("\(name).\(key)")
    }

    /// The keys with values in the group, in the form to show.
    var shown: [(key: String, value: String)] {
        values.found.keys.filter { $0.begins(with: "\(name).") }.sorted().map(values.shown)
    }

    /// Runs a strategy's own validation, and adds the key to its error.
    func check(_ validate: () throws(SettingError) -> Void) throws(ConfigurationError) {
        do {
            try validate()
        } catch {
            // A setting such as `RetryPolicy.backoff.base`.
            let setting = error.setting.drop { $0 != "." }
            let own = ["\(name)\(setting)", "\(name)\(setting)Seconds"]
            let keys = shown.filter { own.contains($0.key) }
            throw .invalid(keys.isEmpty ? shown : keys, "\(error)", cause: error)
        }
    }
}

extension ConfigurationValues {
    fileprivate mutating func timeout(_ key: String) throws(ConfigurationError) -> Duration? {
        let time = try seconds(key)
        guard time != .zero else {
            throw .invalid(
                [shown(key)],
                "No call could end in no time. Leave the key out for the default."
            )
        }
        return time
    }

    /// Reads an optional strategy.
    ///
    /// The strategy is on if it was on before or has any value; `isEnabled` overrides both.
    mutating func read<Strategy>(
        _ name: String,
        _ strategy: inout Strategy?,
        _ initial: @autoclosure () -> Strategy,
        _ body: (inout Strategy, inout ConfigurationGroup) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) {
        let isEnabled = try bool("\(name).isEnabled")
        let before = found.count
        var group = ConfigurationGroup(name: name, values: self)
        var changed = strategy ?? initial()
        try body(&changed, &group)
        self = group.values
        let isOn = isEnabled ?? (strategy != nil || found.count > before)
        strategy = isOn ? changed : nil
    }
}
#endif
