private enum TotalTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum AttemptTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

private enum MinimumBodyRate: CallKey {
    static let defaultValue: Int? = nil
}

private enum TotalBodyTimeout: CallKey {
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

    /// How many bytes of its response's body have to come in a second, in place of a
    /// ``BodyTimeoutInterceptor``'s own; 0 for any number. `nil`, the default, leaves it to the interceptor.
    ///
    /// Set it to 0 for a response that may drip for a long time, as that of a watch or a long poll.
    public var minimumBodyRate: Int? {
        get { self[MinimumBodyRate.self] }
        set { self[MinimumBodyRate.self] = newValue }
    }

    /// How long the reader of its response's body waits for all of it, in place of a
    /// ``BodyTimeoutInterceptor``'s own total; `nil`, the default, leaves it to the interceptor.
    public var totalBodyTimeout: Duration? {
        get { self[TotalBodyTimeout.self] }
        set { self[TotalBodyTimeout.self] = newValue }
    }
}
