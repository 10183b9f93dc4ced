import InterceptorKit

/// How many sends a second a service takes, found out from what it refuses: AWS's adaptive mode.
///
/// Nothing is held back until the first throttled outcome. Then the rate is cut, comes back slowly to
/// where it was and goes on faster beyond, as congestion control by a cubic does (RFC 9438), and never
/// beyond twice what is really sent.
struct AdaptiveRate: Sendable {
    // Of the last measured rate (AWS SDKs' retry behaviour, as all numbers here).
    private static let smoothing = 0.8
    private static let lowestRate = 0.5
    private static let lowestCapacity = 1.0

    /// How many sends a second were measured lately.
    private(set) var measured = 0.0
    /// How many sends a second are let through once something was throttled.
    private(set) var sendsPerSecond = 0.0

    private var cubic = Cubic()
    private var isEnabled = false
    private var tokens = 0.0
    private var capacity = 0.0
    private var refilled = Runtime.Instant(offset: .zero)
    private var slot = 0
    private var sentInSlot = 0

    /// Creates a rate that holds nothing back yet.
    init() {}

    /// Takes leave for one send.
    /// - Returns: How long to wait before asking again; zero if it may be sent now.
    mutating func take(at instant: Runtime.Instant) -> Duration {
        guard isEnabled else { return .zero }
        refill(at: instant)
        guard tokens < 1 else {
            tokens -= 1
            return .zero
        }
        // Rounded up, so that a wait never ends just short of a token.
        return .seconds((1 - tokens) / sendsPerSecond) + .nanoseconds(1)
    }

    /// Learns from an outcome.
    /// - Parameters:
    ///   - isThrottled: Whether the service asked for fewer sends.
    ///   - instant: When.
    mutating func note(isThrottled: Bool, at instant: Runtime.Instant) {
        measure(at: instant)
        let calculated: Double
        if isThrottled {
            let rate = isEnabled ? min(measured, sendsPerSecond) : measured
            calculated = cubic.throttled(at: rate, instant)
            isEnabled = true
        } else {
            calculated = cubic.succeeded(instant)
        }
        refill(at: instant)
        let rate = min(calculated, 2 * measured)
        sendsPerSecond = max(rate, Self.lowestRate)
        capacity = max(rate, Self.lowestCapacity)
        tokens = min(tokens, capacity)
    }

    private mutating func refill(at instant: Runtime.Instant) {
        let seconds = refilled.duration(to: instant) / .seconds(1)
        guard seconds > 0 else { return }
        tokens = min(capacity, tokens + seconds * sendsPerSecond)
        refilled = instant
    }

    // In half seconds.
    private mutating func measure(at instant: Runtime.Instant) {
        sentInSlot += 1
        let present = Int(exactly: (instant.offset / .milliseconds(500)).rounded(.down)) ?? slot
        guard present > slot else { return }
        let rate = Double(sentInSlot) / (Double(present - slot) / 2)
        measured = rate * Self.smoothing + measured * (1 - Self.smoothing)
        sentInSlot = 0
        slot = present
    }
}

extension AdaptiveRate {
    /// The rate at a time after it was cut.
    struct Cubic: Sendable {
        private static let cut = 0.7
        private static let scale = 0.4

        private var lastMaximum: Double
        private var lastThrottled: Runtime.Instant

        /// Starts from where it was cut last.
        /// - Parameters:
        ///   - lastMaximum: The rate that was too high. Defaults to none.
        ///   - lastThrottled: When it was found to be. Defaults to the clock's beginning.
        init(
            lastMaximum: Double = 0,
            lastThrottled: Runtime.Instant = Runtime.Instant(offset: .zero)
        ) {
            self.lastMaximum = lastMaximum
            self.lastThrottled = lastThrottled
        }

        /// A rate was too high.
        /// - Returns: The rate to go on with.
        mutating func throttled(at rate: Double, _ instant: Runtime.Instant) -> Double {
            lastMaximum = rate
            lastThrottled = instant
            return rate * Self.cut
        }

        /// The present rate was not too high.
        /// - Returns: The rate to go on with.
        func succeeded(_ instant: Runtime.Instant) -> Double {
            let elapsed = lastThrottled.duration(to: instant) / .seconds(1)
            let distance = elapsed - cubeRoot(lastMaximum * (1 - Self.cut) / Self.scale)
            return Self.scale * distance * distance * distance + lastMaximum
        }
    }
}

/// By Newton's method, so that no mathematics library is needed.
private func cubeRoot(_ value: Double) -> Double {
    guard value > 0, value.isFinite else { return 0 }
    var root = max(value, 1)
    for _ in 0..<200 {
        let next = (2 * root + value / (root * root)) / 3
        guard abs(next - root) > root * 1e-15 else { break }
        root = next
    }
    return root
}
