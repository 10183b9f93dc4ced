private enum Incoming: CallKey {
    static let defaultValue: HTTP.TraceContext? = nil
}

extension Call {
    /// The trace that the call is part of, such as that of the incoming request it is made for; `nil`, the
    /// default, if there is none.
    public var traceContext: HTTP.TraceContext? {
        get { self[Incoming.self] }
        set { self[Incoming.self] = newValue }
    }
}
