private enum OnBodySent: CallKey {
    static let defaultValue: (@Sendable (Int) -> Void)? = nil
}

private enum OnInformational: CallKey {
    static let defaultValue: (@Sendable (HTTP.Response) -> Void)? = nil
}

extension Call {
    /// Told by the transport how many bytes of the request's body have left so far: 0 before it is read,
    /// then each time more have. A smaller number than before means that the request is being sent again.
    ///
    /// It is called where the transport does its work, so it must return at once.
    public var onBodySent: (@Sendable (_ bytes: Int) -> Void)? {
        get { self[OnBodySent.self] }
        set { self[OnBodySent.self] = newValue }
    }

    /// Told by the transport of each interim response (status 100 to 199, RFC 9110 section 15.2) that
    /// comes before the final one, where the engine hands them out.
    ///
    /// It is called where the transport does its work, so it must return at once.
    public var onInformational: (@Sendable (HTTP.Response) -> Void)? {
        get { self[OnInformational.self] }
        set { self[OnInformational.self] = newValue }
    }
}
