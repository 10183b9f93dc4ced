private enum TotalTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum AttemptTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
    /// How long this call may take, in place of the client's limit and of a ``TimeoutInterceptor``'s own
    /// total; `nil`, the default, leaves it to them. A nearer deadline of the call still counts.
    public var totalTimeout: Duration? {
        get { self[TotalTimeout.self] }
        set { if newValue != nil || totalTimeout != nil { self[TotalTimeout.self] = newValue } }
    }

    /// How long each attempt of this call may take, in place of a ``TimeoutInterceptor``'s own limit;
    /// `nil`, the default, leaves it to the interceptor.
    public var attemptTimeout: Duration? {
        get { self[AttemptTimeout.self] }
        set { self[AttemptTimeout.self] = newValue }
    }
}
