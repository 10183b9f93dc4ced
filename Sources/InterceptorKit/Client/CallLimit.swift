import InterceptorKitConcurrency

/// The time limit of a client's call, and the setting that it comes from.
struct CallLimit: Sendable {
    let duration: Duration
    private let source: StaticString
    // One reference, where the request would be six.
    private let url: HTTP.URL

    /// Creates a limit; returns `nil` for a call that may take any time.
    /// - Parameter timeout: The client's limit, which the call's own replaces.
    init?(of request: HTTP.Request, _ call: Call, _ timeout: Duration?) {
        let own = (call.totalTimeout ?? timeout).flatMap { $0 < HTTP.Client.unlimited ? $0 : nil }
        let above = call.remaining
        guard let limit = min(own ?? above, above ?? own) else { return nil }
        duration = limit
        url = request.url
        source =
            if limit != own {
                "the call's deadline"
            } else if call.totalTimeout != nil {
                "Call.totalTimeout"
            } else {
                "HTTP.Client(timeout:)"
            }
    }

    /// Computed on demand, because few calls are late.
    fileprivate var error: TimeoutError {
        TimeoutError(
            .total,
            limit: duration,
            authority: url.originText,
            limitSource: "\(source)"
        )
    }
}

extension SeparateBody {
    /// Runs the body, and cancels it at the call's deadline, unless the stages keep that.
    /// - Throws: The body's error; a `TimeoutError` if the deadline is over, also in place of the body's own timeout.
    nonisolated(nonsending) func output(
        within limit: CallLimit,
        of call: Call
    ) async throws -> Output {
        guard let deadline = call.deadline else { return try await outcome().get() }
        // A time limit further below can say more, such as what the call waited for, so it may throw first.
        let end = deadline.advanced(by: .milliseconds(100))
        let timer =
            call.isDeadlineLeft
            ? nil : call.runtime.timer(at: end, "time limit") { self.cancelLate() }
        let result = await outcome()
        timer?.cancel()
        guard case .failure(let error) = result else { return try result.get() }
        throw call.outcome(of: error, isOver: wasLate, limit.error, from: "HTTP.Client")
    }
}

private func min(_ left: Duration?, _ right: Duration?) -> Duration? {
    guard let left, let right else { return nil }
    return Swift.min(left, right)
}
