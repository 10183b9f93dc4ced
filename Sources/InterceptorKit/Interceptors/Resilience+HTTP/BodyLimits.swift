/// The limits for the time that a body's reader waits; other time does not count.
struct BodyLimits: Sendable {
    /// The longest wait for a byte.
    var idle: Duration
    /// The minimum number of bytes per second; `nil` for no minimum.
    var minimumRate: Int?
    /// The longest total wait; `nil` for no limit.
    var total: Duration?

    /// The number of bytes that fills the time budget, whatever the wait before them.
    var refillingBytes: Int {
        guard let minimumRate else { return 0 }
        return Int(min(Double(minimumRate) * idle.inSeconds, 0x1p62).rounded(.up))
    }

    func validate() throws {
        let check = SettingCheck(of: "BodyTimeoutInterceptor")
        try check.positive("idle", idle)
        if let minimumRate {
            try check.positive("minimumRate", minimumRate)
        }
        if let total { try check.positive("total", total) }
    }
}

extension BodyLimits: CustomStringConvertible {
    /// The limits as text, as in `idle: 20 s, minimumRate: 240 bytes/s`.
    var description: String {
        [
            "idle: \(idle.formattedSeconds)", minimumRate.map { "minimumRate: \($0) bytes/s" },
            total.map { "total: \($0.formattedSeconds)" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }
}

/// The time that a body's reader may still wait; a value without a clock.
///
/// Waiting uses up the budget, and each byte adds the time that it may take at the minimum rate, up to the idle limit.
/// So a body may pause after fast progress but not trickle, and without any byte the idle limit applies.
struct ReadTimeBudget: Sendable {
    private let limits: BodyLimits
    private let refillingBytes: Int
    private var remaining: Duration
    private var waited: Duration = .zero

    init(_ limits: BodyLimits) {
        self.limits = limits
        refillingBytes = limits.refillingBytes
        remaining = limits.idle
    }

    /// The longest wait of the reader from now on.
    var rest: Duration { isBoundByTotal ? restOfTotal : remaining }

    /// Returns the error for a reader that has used up its time.
    /// - Parameters:
    ///   - authority: The authority that sends the body.
    ///   - source: Returns the setting that a limit of this kind comes from.
    func error(from authority: String?, _ source: (TimeoutError.Code) -> String) -> TimeoutError {
        let code: TimeoutError.Code =
            isBoundByTotal ? .bodyTotal : remaining < limits.idle ? .bodyRate : .bodyIdle
        return TimeoutError(
            code,
            limit: code == .bodyTotal ? limits.total ?? .zero : limits.idle,
            minimumRate: code == .bodyRate ? limits.minimumRate : nil,
            authority: authority,
            limitSource: source(code)
        )
    }

    /// Records the arrival of bytes.
    /// - Parameter wait: The reader's wait for them. Evaluated only if it matters.
    mutating func take(_ bytes: Int, after wait: @autoclosure () -> Duration) {
        let isRefilled = bytes >= refillingBytes
        if isRefilled { remaining = limits.idle }
        if isRefilled && limits.total == nil { return }
        let wait = wait()
        waited += wait
        guard !isRefilled, let rate = limits.minimumRate else { return }
        remaining = min(limits.idle, remaining - wait + .seconds(1) * bytes / rate)
    }

    private var isBoundByTotal: Bool { limits.total != nil && restOfTotal <= remaining }

    private var restOfTotal: Duration { (limits.total ?? .zero) - waited }
}
