private enum MinimumBodyRate: CallKey {
    static let defaultValue: Int? = nil
}

private enum TotalBodyTimeout: CallKey {
    static let defaultValue: Duration? = nil
}

extension Call {
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
