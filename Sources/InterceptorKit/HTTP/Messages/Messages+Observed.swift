extension HTTP.Request: ObservedInput {
    /// Makes the call report the number of sent bytes of the body, in addition to existing observers.
    public func observe(on call: inout Call) {
        guard body.length != 0 else { return }
        let previous = call.onBodySent
        let pace = ReportThrottle(total: body.length)
        call.onBodySent = { [call] bytes in
            previous?(bytes)
            if let report = pace.report(bytes, at: call.runtime.now) {
                call.emit(.bodySent, report)
            }
        }
    }
}

extension HTTP.Response: ObservedOutput {
    /// Returns the response, with a body that reports its arrival and its end.
    public func observed(on call: Call) -> HTTP.Response {
        guard body.isOpen || body.arrivedContent != nil else { return self }
        let pace = ReportThrottle(total: body.length)
        let (activity, within) = call.begin(
            .responseBody,
            "response body",
            body.length.map { ["total": .number($0)] } ?? [:]
        )
        var observed = self
        observed.body = body.tapped { chunk in
            if let report = pace.report(adding: chunk.count, at: within.runtime.now) {
                within.emit(.bodyReceived, report)
            }
        } onEnd: { ending in
            var attributes = pace.attributes(pace.bytes)
            if let failure = ending.failure {
                for (key, value) in within.attributes(of: failure) { attributes[key] = value }
            }
            within.end(activity, Event.Ending(ending), attributes)
        }
        return observed
    }
}

extension Event.Ending {
    init(_ ending: HTTP.BodyEnding) {
        self =
            switch ending {
            case .completed: .completed
            case .abandoned: .abandoned
            case .failed(let error): Event.Ending(of: error)
            }
    }
}

extension HTTP.BodyEnding {
    /// The error that reading threw; `nil` if it threw none.
    public var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

extension Event.Name {
    /// Bytes of a request's body were sent: `bytes` so far, and `total` if it is known.
    public static let bodySent: Self = "request_body.sent"
    /// The body of a response began to arrive: `total` bytes, if that is known.
    public static let bodyBegan: Self = "response_body.began"
    /// Bytes of a response's body arrived: `bytes` so far, and `total` if it is known.
    public static let bodyReceived: Self = "response_body.received"
    /// The body of a response was read to its end, or broke off: `bytes` that arrived.
    public static let bodyEnded: Self = "response_body.ended"
}
