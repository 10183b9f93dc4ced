/// How long a body may keep its reader waiting; only time that a reader waits is meant.
struct BodyLimits: Sendable {
    /// How long no byte may come.
    var idle: Duration
    /// How many bytes have to come in a second; `nil` for any number.
    var minimumRate: Int?
    /// How long all of it may take; `nil` for any time.
    var total: Duration?

    /// So many bytes make good for any wait before them.
    var plenty: Int {
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
    /// As in `idle: 20 s, minimumRate: 240 bytes/s`.
    var description: String {
        [
            "idle: \(idle.formattedSeconds)", minimumRate.map { "minimumRate: \($0) bytes/s" },
            total.map { "total: \($0.formattedSeconds)" },
        ]
        .compactMap(\.self).joined(separator: ", ")
    }
}

/// What is left of the time that a body's reader waits; a value without a clock.
///
/// Waiting uses a reader's patience up, and every byte gives back the time it may take at the minimum rate,
/// up to the limit of an idle body. So a body may pause after it was quick, and may not drip; and where
/// nothing comes, the patience lasts as long as that limit.
struct ReadTimeBudget: Sendable {
    private let limits: BodyLimits
    private let plenty: Int
    private var timeBudget: Duration
    private var waited: Duration = .zero

    init(_ limits: BodyLimits) {
        self.limits = limits
        plenty = limits.plenty
        timeBudget = limits.idle
    }

    /// How long the reader may wait from now on.
    var rest: Duration { isBoundByTotal ? restOfTotal : timeBudget }

    /// The error for a reader that has waited that long.
    /// - Parameters:
    ///   - authority: Where the body comes from.
    ///   - source: Whose limit it was, by its kind.
    func error(from authority: String?, _ source: (TimeoutError.Code) -> String) -> TimeoutError {
        let code: TimeoutError.Code =
            isBoundByTotal ? .bodyTotal : timeBudget < limits.idle ? .bodyRate : .bodyIdle
        return TimeoutError(
            code,
            limit: code == .bodyTotal ? limits.total ?? .zero : limits.idle,
            minimumRate: code == .bodyRate ? limits.minimumRate : nil,
            authority: authority,
            limitSource: source(code)
        )
    }

    /// Records bytes.
    /// - Parameter wait: How long the reader waited for them. Not asked for where it does not matter.
    mutating func take(_ bytes: Int, after wait: @autoclosure () -> Duration) {
        let isPlenty = bytes >= plenty
        if isPlenty { timeBudget = limits.idle }
        if isPlenty && limits.total == nil { return }
        let wait = wait()
        waited += wait
        guard !isPlenty, let rate = limits.minimumRate else { return }
        timeBudget = min(limits.idle, timeBudget - wait + .seconds(1) * bytes / rate)
    }

    private var isBoundByTotal: Bool { limits.total != nil && restOfTotal <= timeBudget }

    private var restOfTotal: Duration { (limits.total ?? .zero) - waited }
}
