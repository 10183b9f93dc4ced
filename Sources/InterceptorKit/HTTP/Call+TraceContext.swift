private enum Incoming: CallKey {
    static let defaultValue: HTTP.TraceContext? = nil
}

extension Call {
    /// The trace that the call is part of, as that of the request on whose behalf it is made; `nil`, the
    /// default, where it is part of none.
    public var traceContext: HTTP.TraceContext? {
        get { self[Incoming.self] }
        set { self[Incoming.self] = newValue }
    }
}
