/// One use of a pipeline, with all its attempts.
///
/// A call carries a stable ``id``, the number of the current ``attempt``, a ``deadline``, values by typed key, and the
/// ``runtime``. A call is a value: only the stages below a `proceed(_:call:)` see the changed copy, so each attempt
/// starts from the retrying interceptor's own call and never sees what an earlier attempt changed.
public struct Call: Sendable {
    /// The identity of one logical call; the same for all its attempts.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// The identifier as a number, for formats whose identifiers are numbers.
        public let number: UInt64

        /// Sixteen hexadecimal digits.
        public var description: String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    @usableFromInline
    final class Storage: Sendable {
        let id: ID
        let attempt: Int
        let deadline: Runtime.Instant?
        let isDeadlineLeft: Bool
        let runtime: Runtime
        let receiver: EventReceiver?
        let observation: Observation
        // A property and not a value by key, because every limit reads it.
        let permits: Int
        @usableFromInline let values: CallValues

        init(
            id: ID,
            attempt: Int,
            deadline: Runtime.Instant?,
            isDeadlineLeft: Bool = false,
            runtime: Runtime,
            receiver: EventReceiver?,
            observation: Observation,
            permits: Int = 1,
            values: CallValues
        ) {
            self.id = id
            self.attempt = attempt
            self.deadline = deadline
            self.isDeadlineLeft = isDeadlineLeft
            self.runtime = runtime
            self.receiver = receiver
            self.observation = observation
            self.permits = permits
            self.values = values
        }
    }

    /// The observation state of a call, for its events.
    struct Observation: Sendable {
        /// The input type, which describes errors; `nil` for a call that has not entered a pipeline.
        var inputType: (any Interceptable.Type)?
        /// The activity that the call is in.
        var activity: ActivityContext?
    }

    // One reference, because each stage that changes the input copies the call.
    @usableFromInline let storage: Storage

    /// Creates a call.
    /// - Parameters:
    ///   - runtime: The clock and random source of the call. Defaults to the live runtime.
    ///   - events: The sink for the call's events, used only if it is listening now. Defaults to none.
    ///   - deadline: The instant at which the call must be over. Defaults to none.
    public init(
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        deadline: Runtime.Instant? = nil
    ) {
        let receiver = events.flatMap { $0.isListening ? EventReceiver($0) : nil }
        self.init(runtime: runtime, receiver: receiver, deadline: deadline, inputType: nil)
    }

    init(
        runtime: Runtime,
        receiver: EventReceiver?,
        deadline: Runtime.Instant? = nil,
        inputType: (any Interceptable.Type)?
    ) {
        storage = Storage(
            id: ID(number: runtime.identifier()),
            attempt: 1,
            deadline: deadline,
            runtime: runtime,
            receiver: receiver,
            observation: Observation(inputType: inputType),
            values: CallValues()
        )
    }

    private init(separateFrom call: Call, deadline: Runtime.Instant?) {
        storage = Storage(
            id: ID(number: call.runtime.identifier()),
            attempt: 1,
            deadline: deadline,
            runtime: call.runtime,
            receiver: call.receiver,
            observation: Observation(inputType: call.inputType),
            permits: call.permits,
            values: call.storage.values
        )
    }

    private init(
        _ call: Call,
        attempt: Int? = nil,
        deadline: Runtime.Instant? = nil,
        isDeadlineLeft: Bool? = nil,
        observation: Observation? = nil,
        permits: Int? = nil,
        values: CallValues? = nil
    ) {
        storage = Storage(
            id: call.id,
            attempt: attempt ?? call.attempt,
            deadline: deadline ?? call.deadline,
            isDeadlineLeft: isDeadlineLeft ?? call.isDeadlineLeft,
            runtime: call.runtime,
            receiver: call.receiver,
            observation: observation ?? call.storage.observation,
            permits: permits ?? call.permits,
            values: values ?? call.storage.values
        )
    }

    /// The identity of this logical call; the same for all its attempts.
    public var id: ID { storage.id }

    /// The number of the current attempt, from 1.
    public var attempt: Int { storage.attempt }

    /// The instant at which the call must be over; `nil` means never.
    public var deadline: Runtime.Instant? { storage.deadline }

    /// The clock and random source of this call.
    public var runtime: Runtime { storage.runtime }

    /// The sink for this call's events.
    public var events: (any EventSink)? { storage.receiver?.sink }

    var receiver: EventReceiver? { storage.receiver }

    /// Whether a sink receives this call's events.
    public var isObserved: Bool { storage.receiver != nil }

    /// The time left until the deadline, never negative; `nil` without a deadline.
    public var remaining: Duration? {
        deadline.map { max(.zero, runtime.now.duration(to: $0)) }
    }

    /// The number of permits that this call takes from each limit. Defaults to 1.
    ///
    /// ```swift
    /// let report = try await api.send(.get("/report")) { $0.permits = 10 }
    /// ```
    ///
    /// Use it for a call that costs as much as several others: it counts as that many in rate limits, concurrency limits
    /// and adaptive limits. Values below 1 count as 1, and values above a billion as a billion. A rate limit or a
    /// concurrency limit throws a ``SettingError`` if it never gives so many at once, which means more than
    /// ``RateLimitPolicy/burst`` or ``ConcurrencyLimitPolicy/limit``.
    public var permits: Int {
        get { storage.permits }
        set { self = Call(self, permits: min(max(1, newValue), 1_000_000_000)) }
    }

    /// Returns this call with `number` as its attempt.
    public func withAttempt(_ number: Int) -> Call { Call(self, attempt: number) }

    /// Returns this call with a deadline no later than `instant`; an earlier deadline stays.
    public func withDeadline(_ instant: Runtime.Instant) -> Call {
        Call(self, deadline: min(instant, deadline ?? instant))
    }

    /// Returns this call with a deadline no later than `duration` from now.
    public func withDeadline(within duration: Duration) -> Call {
        withDeadline(runtime.now.advanced(by: duration))
    }

    /// Whether no time limit above cancels this call at its deadline, because all stages keep it.
    package var isDeadlineLeft: Bool { storage.isDeadlineLeft }

    /// Returns this call with a deadline no later than `instant`, which the stages below keep, or a limit above.
    package func withDeadline(_ instant: Runtime.Instant, isLeft: Bool) -> Call {
        let end = min(instant, deadline ?? instant)
        if end == deadline, isLeft == isDeadlineLeft { return self }
        return Call(self, deadline: end, isDeadlineLeft: isLeft)
    }

    /// Returns an independent call with this call's values, for work that outlasts this one, such as a background
    /// refresh.
    ///
    /// The new call has its own ``id``, begins with attempt 1 and has no parent in events.
    /// - Parameter deadline: The deadline of the new call, regardless of this call's; `nil` means none.
    public func detached(deadline: Runtime.Instant?) -> Call {
        Call(separateFrom: self, deadline: deadline)
    }

    var values: CallValues { storage.values }

    /// The activity that the call is in; `nil` outside of any.
    var activityContext: ActivityContext? {
        get { storage.observation.activity }
        set {
            let observation = Observation(inputType: inputType, activity: newValue)
            self = Call(self, observation: observation)
        }
    }

    /// The type of input that describes the call's errors.
    var inputType: (any Interceptable.Type)? { storage.observation.inputType }

    /// Returns this call with a type of input, which decides how much its events show of errors.
    ///
    /// A chain sets the type itself. A call made outside of a chain has no input type.
    public func of(_ inputType: any Interceptable.Type) -> Call {
        if self.inputType == inputType { return self }
        let observation = Observation(inputType: inputType, activity: activityContext)
        return Call(self, observation: observation)
    }

    /// The value for a key, or the key's default.
    @inlinable
    public subscript<Key: CallKey>(key: Key.Type) -> Key.Value {
        get { storage.values[key] }
        set {
            var values = storage.values
            values[key] = newValue
            replaceValues(values)
        }
    }

    @usableFromInline
    mutating func replaceValues(_ values: CallValues) { self = Call(self, values: values) }

    /// Returns this call with a value for a key.
    public func withValue<Key: CallKey>(_ value: Key.Value, for key: Key.Type) -> Call {
        var changed = self
        changed[key] = value
        return changed
    }
}

extension Call {
    @TaskLocal private static var current: Call?

    /// The call that the current task serves; `nil` outside of ``serve(_:)``.
    ///
    /// Use it where the call is not a parameter. A `ServedCallInterceptor` makes a client's calls part of it.
    public static var served: Call? { current }

    /// Runs work that serves this call, with ``served`` set to it.
    ///
    /// Use it in servers that handle requests through a chain.
    public nonisolated(nonsending) func serve<Result: Sendable>(
        _ work: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await Call.$current.withValue(self) { try await work() }
    }
}

/// The settings of a call that decide whether it may be sent again.
struct ResendSettings: Sendable {
    var limit: Int?
    var isIdempotent: Bool?
    /// The rules of the call's own policy.
    var rules: (any AnyObject & Sendable)?
}

// One key for all three, because every call reads them.
enum ResendSettingsKey: CallKey {
    static let defaultValue = ResendSettings()
}

extension Call {
    /// The maximum number of attempts for this call; `nil`, the default, uses the policy's.
    ///
    /// One turns retries and hedges off. Values below one count as one, and values above five as five, unless the
    /// policy allows many attempts.
    public var retryLimit: Int? {
        get { self[ResendSettingsKey.self].limit }
        set { self[ResendSettingsKey.self].limit = newValue }
    }

    /// Whether this call is idempotent; `nil`, the default, lets the policy decide from the input.
    ///
    /// Set it if the method misleads: `true` for a `POST` that only searches, `false` for a `GET` that counts.
    public var isIdempotent: Bool? {
        get { self[ResendSettingsKey.self].isIdempotent }
        set { self[ResendSettingsKey.self].isIdempotent = newValue }
    }
}
