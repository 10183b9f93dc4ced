/// A kind of failure, as a pattern for code that catches or maps errors.
///
/// ```swift
/// switch error {
/// case FailurePattern.code(1001): ShopError.outOfStock
/// case FailurePattern.expiredSession: ShopError.signInAgain
/// case FailurePattern.offline: ShopError.offline
/// default: error
/// }
/// ```
public struct FailurePattern: Sendable {
    private let matches: @Sendable (any Error) -> Bool

    /// Creates a pattern from a closure.
    public init(_ matches: @escaping @Sendable (_ error: any Error) -> Bool) {
        self.matches = matches
    }

    /// Returns whether an error is of this kind.
    public func matches(_ error: any Error) -> Bool { matches(error) }

    /// Returns whether an error is of this kind, for `case` and `catch`.
    public static func ~= (pattern: FailurePattern, error: any Error) -> Bool {
        pattern.matches(error)
    }
}

/// Failures that a service reported.
extension FailurePattern {
    /// Matches a response with one of these statuses, as in `catch FailurePattern.status(404)`, for every
    /// ``StatusReportingError``, whatever its other properties.
    public static func status(_ statuses: HTTP.Status...) -> FailurePattern {
        FailurePattern {
            ($0 as? any StatusReportingError)?.hasStatus(where: statuses.contains) == true
        }
    }

    /// Matches a response with a status in a range, such as `400...499`.
    public static func status(in range: ClosedRange<Int>) -> FailurePattern {
        FailurePattern { error in
            (error as? any StatusReportingError)?.hasStatus { range.contains($0.code) } == true
        }
    }

    /// Matches a response with content of a media type, whatever its parameters.
    public static func mediaType(_ type: String) -> FailurePattern {
        response { $0.headers.mediaType == type.lowercased() }
    }

    /// Matches a response with problem details of a type (RFC 9457).
    public static func problem(_ type: String) -> FailurePattern {
        response { $0.problem?.type == type }
    }

    /// Matches a response with one of these business codes in its envelope.
    public static func code(_ codes: HTTP.ResponseEnvelope.Code...) -> FailurePattern {
        response { error in codes.contains { $0.description == error.businessCode } }
    }

    /// Matches a failure of the server itself: a status from 500.
    public static var serverFault: FailurePattern {
        FailurePattern { error in
            guard (error as? ResponseError)?.code != .business else { return false }
            return status(in: 500...999).matches(error)
        }
    }

    /// Matches a failure that only a sign-in can resolve: a 401, a business code classified as one, or an error that
    /// ``SessionEndingError/requiresSignIn``.
    ///
    /// Use it to decide what to show. Whether to sign the user out, ``SessionEndingError/endsSession`` decides.
    public static var expiredSession: FailurePattern {
        FailurePattern { error in
            if let error = error as? any SessionEndingError { return error.requiresSignIn }
            return (error as? any ClassifiedError)?.classification.kind == .unauthorized
        }
    }

    private static func response(
        _ matches: @escaping @Sendable (ResponseError) -> Bool
    ) -> FailurePattern {
        FailurePattern { ($0 as? ResponseError).map(matches) ?? false }
    }
}

extension StatusReportingError {
    fileprivate func hasStatus(where predicate: (HTTP.Status) -> Bool) -> Bool {
        responseStatus.map(predicate) ?? false
    }
}

/// Failures on the way to the service or back, and unexpected responses.
extension FailurePattern {
    /// Matches a transport failure with one of these codes; without codes, any transport failure.
    public static func transport(_ codes: TransportError.Code...) -> FailurePattern {
        FailurePattern { error in
            guard let error = error as? TransportError else { return false }
            return codes.isEmpty || codes.contains(error.code)
        }
    }

    /// Matches a server that cannot be reached: its name has no address, or no connection can be made.
    public static var offline: FailurePattern {
        transport(.nameNotResolved, .cannotConnect, .connectionLost)
    }

    /// Matches a response that didn't arrive in time.
    public static var timedOut: FailurePattern {
        FailurePattern { transport(.timedOut).matches($0) || $0 is TimeoutError }
    }

    /// Matches an unexpected response: one that failed validation, cannot be decoded, or is not valid HTTP.
    public static var unexpectedResponse: FailurePattern {
        FailurePattern { error in
            switch error {
            case let error as ResponseError:
                ![.status, .problem, .business].contains(error.code)
            case is HTTP.DecodingFailure, is DecodingError: true
            case let error as HTTP.ContentError:
                [.unexpectedMediaType, .emptyBody, .tooLarge].contains(error.code)
            default: transport(.protocolViolation).matches(error)
            }
        }
    }
}
