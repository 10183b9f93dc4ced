private enum OnBodySent: CallKey {
    static let defaultValue: (@Sendable (Int) -> Void)? = nil
}

private enum OnInformational: CallKey {
    static let defaultValue: (@Sendable (HTTP.Response) -> Void)? = nil
}

extension Call {
    /// A closure that the transport calls with the number of bytes of the request's body sent so far: 0
    /// before it is read, then after each progress. A smaller number than before means that the request is
    /// being sent again.
    ///
    /// The transport calls it during its work, so it must return at once.
    public var onBodySent: (@Sendable (_ bytes: Int) -> Void)? {
        get { self[OnBodySent.self] }
        set { self[OnBodySent.self] = newValue }
    }

    /// A closure that the transport calls with each interim response (status 100 to 199, RFC 9110 section
    /// 15.2) before the final one, if its engine reports them.
    ///
    /// The transport calls it during its work, so it must return at once.
    public var onInformational: (@Sendable (HTTP.Response) -> Void)? {
        get { self[OnInformational.self] }
        set { self[OnInformational.self] = newValue }
    }
}
