private enum OnBodySent: CallKey {
    static let defaultValue: (@Sendable (Int) -> Void)? = nil
}

private enum OnInformational: CallKey {
    static let defaultValue: (@Sendable (HTTP.Response) -> Void)? = nil
}

extension Call {
    /// A closure that the transport calls with the number of sent bytes of the request's body: 0 before the body is
    /// read, then the total so far at each progress. A number smaller than before means that the request is sent again.
    ///
    /// The closure is called while the transport works, so it must return at once.
    public var onBodySent: (@Sendable (_ bytes: Int) -> Void)? {
        get { self[OnBodySent.self] }
        set { self[OnBodySent.self] = newValue }
    }

    /// A closure that the transport calls with each interim response (status 100 to 199, RFC 9110 section 15.2) before
    /// the final one, if its engine reports them.
    ///
    /// The closure is called while the transport works, so it must return at once.
    public var onInformational: (@Sendable (HTTP.Response) -> Void)? {
        get { self[OnInformational.self] }
        set { self[OnInformational.self] = newValue }
    }
}
