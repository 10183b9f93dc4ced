/// Shares one send among identical calls at the same time.
///
/// The first call starts the send. Calls that come while the send is under way wait for it and get the same output or
/// error. The send runs in a task of the runtime, with the first call's id, values and deadline, and belongs to all
/// waiters: a cancelled waiter does not affect the others, and when the last waiter leaves, the send is cancelled and
/// awaited. If the send fails because the first call's time is over, waiters with time left send again. A waiter whose
/// own time ends earlier stops waiting.
///
/// Calls are equal if their keys are equal, if the call values that can change the output are equal
/// (``Call/partition``), and if the same interceptors stand below. Nothing is stored: a later call is sent again.
public struct CoalescingInterceptor<Input: Interceptable>: Interceptor {
    /// A closure that returns the key of an input, or `nil` for an input that is never shared.
    public typealias Key = @Sendable (_ input: Input) -> CoalescingKey?

    private let key: Key
    private let sends: SharedSends<Input>
    private let problem: SettingError?

    /// Creates an interceptor for outputs that are values, which all calls get.
    /// - Parameter key: Returns the key of an input, or `nil` for an input that is never shared.
    public init(key: @escaping Key) {
        self.init(key: key) { output in .all { output } }
    }

    /// Creates an interceptor for outputs that several calls can't share as they are, such as streams.
    /// - Parameters:
    ///   - key: Returns the key of an input, or `nil` for an input that is never shared.
    ///   - problem: The reason why the settings cannot work, thrown when a pipeline is built. Defaults to `nil`.
    ///   - share: Makes the outputs of the waiting calls from the output of the send.
    public init(
        key: @escaping Key,
        problem: SettingError? = nil,
        share: @escaping @Sendable (Input.Output) async throws -> SharedOutput<Input.Output>
    ) {
        self.key = key
        self.problem = problem
        sends = SharedSends(share: share)
    }

    public var placement: Placement? { .coalescing }

    public func validate() throws {
        if let problem { throw problem }
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        guard let key = key(chain.input) else { return try await chain.proceed() }
        let identity = SendIdentity(key: key, chain)
        while true {
            try Task.checkCancellation()
            switch await sends.join(identity, chain) {
            case .output(let output):
                return output
            case .unshared:
                return try await chain.proceed()
            case .left(let send):
                // The last waiter to leave awaits the send, so that nothing runs after its call has returned.
                await send?.value
                throw CancellationError()
            case .late(let send):
                await send?.value
                let authority = Input.authority(of: chain.input)
                throw TransportError.deadlinePassedBeforeSending(host: authority ?? "anywhere")
            case .failed(let error, let starter):
                let isStarterTimeout = starter.id != chain.call.id && starter.remaining == .zero
                guard isStarterTimeout, chain.call.remaining != .zero else { throw error }
            }
        }
    }
}

/// The way in which waiting calls share an output.
public enum SharedOutput<Output: Sendable>: Sendable {
    /// Each call gets its own output, made by the closure.
    case all(@Sendable () -> Output)
    /// Only one call gets the output. The others are sent separately.
    case one(Output)
}

/// The identity of a send: calls with equal identities share one.
struct SendIdentity: Hashable, Sendable {
    private let key: CoalescingKey
    private let partition: CallPartition
    private let rest: UInt

    init<Input: Interceptable>(key: CoalescingKey, _ chain: InterceptorChain<Input>) {
        self.key = key
        partition = chain.call.partition
        // The address of the stages below, which differs for a call with its own interceptors. A shared send keeps its
        // stages alive, so an address identifies one list.
        // Safety: the address is only compared, never dereferenced.
        rest = unsafe UInt(bitPattern: chain.next)
    }
}

extension Event.Name {
    /// A call waits for the send of an equal call: `call`.
    public static let coalesced: Self = "coalescing.joined"
}

/// The identity of an input for a ``CoalescingInterceptor``: a list of parts, compared byte by byte.
///
/// The length of each part is written before it, so two different lists never give the same key (undici issue 5012).
public struct CoalescingKey: Hashable, Sendable {
    private var bytes: [UInt8] = []

    /// Creates a key.
    /// - Parameter parts: The parts, in order.
    public init(_ parts: String...) { for part in parts { append(part) } }

    /// Adds a part in UTF-8.
    public mutating func append(_ part: String) { append(part.utf8) }

    /// Adds a part as bytes.
    public mutating func append(_ part: some Collection<UInt8>) {
        var length = UInt64(part.count)
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: length))
            length >>= 8
        }
        bytes.append(contentsOf: part)
    }
}
