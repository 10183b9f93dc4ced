import InterceptorKitConcurrency

/// A call of a client: what it sends, its time limit, and its outcome.
final class ClientCall: OpenWork, SeparateWork, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: `result` and `wasLate` are written in the call's task and read after its
    // end.
    let call: Call
    private let request: HTTP.Request
    private let pipeline: Pipeline<HTTP.Request>
    private let limit: CallLimit?
    private let work = CancellableWork()
    private var result: Result<HTTP.Response, any Error>?
    private var wasLate = false

    /// - Parameters:
    ///   - timeout: The client's time limit, which the call's own replaces.
    ///   - endsLate: Whether the client ends a late call itself, rather than a stage of its pipeline.
    init(
        _ request: HTTP.Request,
        through pipeline: Pipeline<HTTP.Request>,
        _ call: Call,
        within timeout: Duration?,
        endsLate: Bool
    ) {
        self.request = request.withContentType
        self.pipeline = pipeline
        guard let limit = CallLimit(of: request, call, timeout) else {
            self.call = call
            self.limit = nil
            return
        }
        self.limit = endsLate ? limit : nil
        self.call = call.withDeadline(
            call.runtime.now.advanced(by: limit.duration),
            isLeft: endsLate && pipeline.keepsDeadline
        )
    }

    /// Whether the call needs a task of its own for its time limit.
    var isLimited: Bool { limit != nil && !call.isDeadlineLeft }

    func cancel() { work.cancel(.all) }

    /// Runs the call in a child task, which its deadline or ``cancel()`` ends.
    nonisolated(nonsending) func runInTask() async {
        guard isLimited, let deadline = call.deadline else { return await runSeparately() }
        // A time limit further below can say more, such as what the call waited for, so it may throw first.
        let end = deadline.advanced(by: .milliseconds(100))
        let timer = call.runtime.timer(at: end, "time limit") { self.work.cancel(.time) }
        await runSeparately()
        timer.cancel()
    }

    nonisolated(nonsending) func run() async {
        work.begin()
        do {
            result = .success(try await pipeline.run(request, call: call))
        } catch {
            result = .failure(error)
        }
        wasLate = work.end() == .time
    }

    /// The response's body, after the end of the call.
    var body: HTTP.Body? { try? result?.get().body }

    /// Returns the response, after the end of the call.
    /// - Throws: The call's error; a `TimeoutError` if the deadline is over, also in place of the call's own timeout.
    func response() throws -> HTTP.Response {
        switch result {
        case .success(let response):
            return response
        case .failure(let error):
            guard let limit else { throw error }
            throw call.outcome(of: error, isOver: wasLate, limit.error, from: "HTTP.Client")
        case nil:
            throw CancellationError()
        }
    }
}

/// The time limit of a client's call, and the setting that it comes from.
private struct CallLimit: Sendable {
    let duration: Duration
    private let source: StaticString
    // One reference, where the request would be six.
    private let url: HTTP.URL

    /// Creates a limit; returns `nil` for a call that may take any time.
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
    var error: TimeoutError {
        TimeoutError(
            .total,
            limit: duration,
            authority: url.originText,
            limitSource: "\(source)"
        )
    }
}

private func min(_ left: Duration?, _ right: Duration?) -> Duration? {
    guard let left, let right else { return nil }
    return Swift.min(left, right)
}
