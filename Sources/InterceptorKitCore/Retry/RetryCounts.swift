/// The maximum numbers of retries after failures of each kind, as in urllib3's `Retry`.
///
/// ```swift
/// var policy = RetryPolicy<HTTP.Request>.standard
/// policy.maxAttempts = 5
/// policy.maxRetries = RetryCounts(connect: 4, read: 1, status: 2)
/// ```
///
/// A retry counts towards the kind of the failure that it follows, and every kind also towards
/// ``RetryPolicy/maxAttempts``, which is urllib3's `total` and one more. Zero stops at the first failure of that kind.
public struct RetryCounts: Sendable, Hashable {
    /// After failures before the input was sent, such as a refused connection. `nil` means no limit of its own.
    public var connect: Int?

    /// After failures when the input may have been sent: a lost connection, an incorrect response, or a timeout, whatever
    /// set it. `nil` means no limit of its own.
    public var read: Int?

    /// After outputs that are failures, such as a response with the status 503. `nil` means no limit of its own.
    public var status: Int?

    /// After any other failure, such as a rejection by a limit of the client. `nil` means no limit of its own.
    public var other: Int?

    /// Creates counts.
    /// - Parameters:
    ///   - connect: After failures before the input was sent. Defaults to no limit of its own.
    ///   - read: After failures when the input may have been sent. Defaults to no limit of its own.
    ///   - status: After outputs that are failures. Defaults to no limit of its own.
    ///   - other: After any other failure. Defaults to no limit of its own.
    public init(connect: Int? = nil, read: Int? = nil, status: Int? = nil, other: Int? = nil) {
        self.connect = connect
        self.read = read
        self.status = status
        self.other = other
    }

    subscript(_ kind: FailureKind) -> Int? {
        get {
            switch kind {
            case .connect: connect
            case .read: read
            case .status: status
            case .other: other
            }
        }
        set {
            switch kind {
            case .connect: connect = newValue
            case .read: read = newValue
            case .status: status = newValue
            case .other: other = newValue
            }
        }
    }

    func validate(_ check: SettingCheck) throws(SettingError) {
        for kind in FailureKind.allCases {
            if let count = self[kind] { try check.notNegative("maxRetries.\(kind)", count) }
        }
    }
}

/// The kind of a failed attempt, for the limits of ``RetryCounts``.
enum FailureKind: CaseIterable, Sendable {
    case connect, read, status, other

    init<Input>(_ outcome: Outcome<Input>, _ classification: Classification) {
        switch outcome.result {
        case .success: self = .status
        // Not of the transport, although nothing was sent.
        case .failure where classification.kind == .rejected: self = .other
        case .failure where classification.isUnsent: self = .connect
        case .failure(let error as TransportError): self = FailureKind(error.code)
        case .failure: self = classification.isTimeout ? .read : .other
        }
    }

    private init(_ code: TransportError.Code) {
        switch code {
        case .nameNotResolved, .cannotConnect: self = .connect
        case .connectionLost, .protocolViolation, .timedOut, .readerTooSlow: self = .read
        default: self = .other
        }
    }
}
