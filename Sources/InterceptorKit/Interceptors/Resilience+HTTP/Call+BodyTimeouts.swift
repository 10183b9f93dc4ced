private enum MinimumBodyRate: CallKey {
    static let defaultValue: Int? = nil
}

private enum TotalBodyTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum BodyIdleTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
    /// The longest silence of this call's response body, in place of a ``BodyTimeoutInterceptor``'s; `nil`, the
    /// default, uses the interceptor's.
    public var bodyIdleTimeout: Duration? {
        get { self[BodyIdleTimeout.self] }
        set { self[BodyIdleTimeout.self] = newValue }
    }

    /// The minimum rate of this call's response body in bytes per second, in place of a
    /// ``BodyTimeoutInterceptor``'s; 0 means no minimum, and `nil`, the default, uses the interceptor's.
    ///
    /// Set it to 0 for a response that may be slow for a long time, such as that of a watch or a long poll.
    public var minimumBodyRate: Int? {
        get { self[MinimumBodyRate.self] }
        set { self[MinimumBodyRate.self] = newValue }
    }

    /// The longest total wait for this call's response body, in place of a ``BodyTimeoutInterceptor``'s;
    /// `nil`, the default, uses the interceptor's.
    public var totalBodyTimeout: Duration? {
        get { self[TotalBodyTimeout.self] }
        set { self[TotalBodyTimeout.self] = newValue }
    }
}
