#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The source of time and randomness for a call.
///
/// Interceptors and transports use the runtime of their ``Call`` to read clocks, sleep, draw random numbers and start
/// tasks, so a test can replace all of them at once: ``live`` is real, and `Simulation` in `InterceptorKitTesting` is
/// virtual and repeatable.
public struct Runtime: Sendable {
    /// A point on a monotonic clock that starts with the runtime.
    public struct Instant: InstantProtocol, Hashable, Sendable {
        /// The time since the runtime's start.
        public let offset: Duration

        /// Creates an instant.
        /// - Parameter offset: The time since the runtime's start, clamped to the range from -200 to 200 years.
        public init(offset: Duration) { self.offset = offset.clamped }

        /// Returns the instant `duration` later, or earlier if it is negative.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration.clamped)
        }

        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one instant is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private final class Source: Sendable {
        let now: @Sendable () -> Instant
        let date: @Sendable () -> Date
        let sleep: @Sendable (Instant) async throws -> Void
        let random: @Sendable () -> UInt64
        let identifier: @Sendable () -> UInt64
        let start: @Sendable (String, @escaping @Sendable () async -> Void) -> Task<Void, Never>
        let waits: (@Sendable (@escaping @Sendable () -> String) -> Wait)?
        let timerQueue: TimerQueue?

        init(
            now: @escaping @Sendable () -> Instant,
            date: @escaping @Sendable () -> Date,
            sleep: @escaping @Sendable (Instant) async throws -> Void,
            random: @escaping @Sendable () -> UInt64,
            identifier: @escaping @Sendable () -> UInt64,
            start:
                @escaping @Sendable (String, @escaping @Sendable () async -> Void) -> Task<
                    Void, Never
                >,
            waits: (@Sendable (@escaping @Sendable () -> String) -> Wait)?,
            timerQueue: TimerQueue?
        ) {
            self.now = now
            self.date = date
            self.sleep = sleep
            self.random = random
            self.identifier = identifier
            self.start = start
            self.waits = waits
            self.timerQueue = timerQueue
        }
    }

    private let source: Source

    /// Creates a runtime from its parts.
    /// - Parameters:
    ///   - now: Reads the monotonic clock.
    ///   - date: Reads the wall clock, for dates that are written; never used to measure.
    ///   - sleep: Sleeps until an instant, or throws `CancellationError` as soon as the task is cancelled.
    ///   - random: Draws 64 unpredictable bits.
    ///   - identifier: Draws a number that is unique in this runtime and need not be unpredictable.
    ///   - start: Starts a named task that outlives the caller.
    ///   - waits: Records that the current task begins to wait, for reports of deadlocks. Defaults to none, which costs
    ///     nothing.
    public init(
        now: @escaping @Sendable () -> Instant,
        date: @escaping @Sendable () -> Date,
        sleep: @escaping @Sendable (_ until: Instant) async throws -> Void,
        random: @escaping @Sendable () -> UInt64,
        identifier: @escaping @Sendable () -> UInt64,
        start:
            @escaping @Sendable (
                _ name: String, _ operation: @escaping @Sendable () async -> Void
            ) -> Task<Void, Never>,
        waits: (@Sendable (_ what: @escaping @Sendable () -> String) -> Wait)? = nil
    ) {
        source = Source(
            now: now,
            date: date,
            sleep: sleep,
            random: random,
            identifier: identifier,
            start: start,
            waits: waits,
            timerQueue: nil
        )
    }

    private init(_ runtime: Runtime, timerQueue: TimerQueue) {
        source = Source(
            now: runtime.source.now,
            date: runtime.source.date,
            sleep: runtime.source.sleep,
            random: runtime.source.random,
            identifier: runtime.source.identifier,
            start: runtime.source.start,
            waits: runtime.source.waits,
            timerQueue: timerQueue
        )
    }

    /// Returns this runtime with one sleeping task for all timers.
    func sharingTimers() -> Runtime {
        Runtime(self, timerQueue: TimerQueue(now: source.now, sleep: source.sleep))
    }

    var timerQueue: TimerQueue? { source.timerQueue }

    /// The current instant of the monotonic clock.
    public var now: Instant { source.now() }

    /// The current date of the wall clock.
    public var date: Date { source.date() }

    /// Sleeps until an instant. Returns at once if it has passed.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public nonisolated(nonsending) func sleep(until instant: Instant) async throws {
        try Task.checkCancellation()
        guard instant > now else { return }
        try await source.sleep(instant)
    }

    /// Sleeps for a duration. Returns at once if it isn't positive.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public nonisolated(nonsending) func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }

    /// Returns 64 unpredictable bits.
    public func random() -> UInt64 { source.random() }

    /// Returns a uniformly distributed number from 0 up to, but not including, 1.
    public func randomFraction() -> Double { Double(random() >> 11) * 0x1p-53 }

    /// Returns a number that is unique in this runtime.
    public func identifier() -> UInt64 { source.identifier() }

    /// Starts a task that may outlive the caller, such as a refresh shared by many callers.
    ///
    /// Code that starts a task owns it: keep the handle, and end or await the task.
    /// - Parameters:
    ///   - name: The task's name in reports of running tasks.
    ///   - operation: The work.
    public func start(
        _ name: String,
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        source.start(name, operation)
    }

    /// Records that the current task begins to wait, and the reason.
    ///
    /// A simulation that cannot go on lists the waits that have not ended. If your code suspends a task with its own
    /// continuation, call this first, and end the wait when it is over.
    /// - Parameter what: The rest of a sentence that begins with the task's name, as in
    ///   `waits for a permit of "orders"`. Evaluated only for a report.
    /// - Returns: The wait, which you must end; `nil` if the runtime records no waits.
    public func beginWait(_ what: @escaping @autoclosure @Sendable () -> String) -> Wait? {
        source.waits?(what)
    }
}

extension Duration {
    /// This duration, limited to 200 years: twice the longest setting, so no sum of settings overflows.
    fileprivate var clamped: Duration {
        // A duration below 2^92 attoseconds (157 years) needs one comparison, which costs a fifth of those below.
        let high = Int64(truncatingIfNeeded: attoseconds >> 64)
        if -(1 << 28)..<(1 << 28) ~= high { return self }
        let most: Duration = .seconds(200 * 365 * 86_400)
        return self > most ? most : self < .zero - most ? .zero - most : self
    }
}

extension Runtime {
    /// Returns unpredictable bytes, for example for a nonce.
    /// - Parameter count: The number of bytes.
    public func randomBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        var word: UInt64 = 0
        while bytes.count < count {
            if bytes.count % 8 == 0 { word = random() }
            bytes.append(UInt8(truncatingIfNeeded: word >> 56))
            word <<= 8
        }
        return bytes
    }
}

extension Runtime {
    /// A wait that a runtime records for reports.
    public struct Wait: Sendable {
        private let whenOver: @Sendable () -> Void

        /// Creates a wait.
        /// - Parameter whenOver: Called when the wait is over.
        public init(whenOver: @escaping @Sendable () -> Void) { self.whenOver = whenOver }

        /// Ends the wait.
        public func end() { whenOver() }
    }
}
