/// Gives a response's body up when no byte of it comes for a while.
///
/// A time limit for attempts ends with the response's head. A body may take as long as it needs, as long
/// as it arrives: only the time its reader waits counts, so a slow reader is not a stalled server. The
/// reader of a body that is given up gets a ``TimeoutError``, and the connection is let go of.
public struct BodyTimeoutInterceptor: Interceptor {
    private let limit: Duration

    /// Creates an interceptor.
    /// - Parameter idle: How long a reader waits for a byte. Defaults to 20 s, the grace of AWS's stalled
    ///   stream protection.
    public init(idle: Duration = .seconds(20)) { limit = idle }

    public var placement: Placement? { .attemptTimeout }

    public func validate() throws {
        try SettingCheck.positive("The time limit of an idle body", limit)
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var response = try await chain.proceed()
        response.body = response.body.watched(limit, by: chain.call)
        return response
    }
}

extension BodyTimeoutInterceptor: CustomStringConvertible {
    /// As in `BodyTimeoutInterceptor(idle: 20 s)`.
    public var description: String { "BodyTimeoutInterceptor(idle: \(limit.formattedSeconds))" }
}

extension HTTP.Body {
    /// The body, given up when a reader waits for a byte for too long.
    fileprivate func watched(_ limit: Duration, by call: Call) -> HTTP.Body {
        // What is in memory or in a file cannot stall.
        guard case .oneShot(let body) = storage else { return self }
        return .oneShot(length: body.length, WatchedStream(body, limit, call))
    }
}
