extension HTTP.Request: ObservedInput {
    /// Has the transport's count of sent bytes reported, beside whoever else is told of it.
    func observe(on call: inout Call) {
        guard body.length != 0 else { return }
        let told = call.onBodySent
        let pace = ReportingPace(total: body.length)
        call.onBodySent = { [call] bytes in
            told?(bytes)
            if let report = pace.report(bytes, at: call.runtime.now) {
                call.emit(.bodySent, from: "transport", report)
            }
        }
    }
}

extension HTTP.Response: ObservedOutput {
    /// The same response, whose body reports its arrival and its end.
    func observed(on call: Call) -> HTTP.Response {
        guard body.isOpen else { return self }
        var observed = self
        observed.body = body.observed(on: call)
        return observed
    }
}
