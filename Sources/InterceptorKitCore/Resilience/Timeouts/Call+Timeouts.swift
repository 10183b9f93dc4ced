private enum TotalTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum AttemptTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
    /// The total timeout of this call, in place of the client's and a ``TimeoutInterceptor``'s; `nil`, the
    /// default, uses those. A nearer deadline of the call still counts.
    public var totalTimeout: Duration? {
        get { self[TotalTimeout.self] }
        set { if newValue != nil || totalTimeout != nil { self[TotalTimeout.self] = newValue } }
    }

    /// The timeout of each attempt of this call, in place of a ``TimeoutInterceptor``'s; `nil`, the default,
    /// uses the interceptor's.
    public var attemptTimeout: Duration? {
        get { self[AttemptTimeout.self] }
        set { self[AttemptTimeout.self] = newValue }
    }
}
