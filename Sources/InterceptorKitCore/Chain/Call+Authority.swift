private enum CallAuthority: CallKey {
    static var defaultValue: String? { nil }
}

extension Call {
    /// The server that an attempt goes to, where the input's own authority does not tell it apart, as with
    /// several addresses behind one name; `nil`, the default, leaves it to the input.
    ///
    /// An interceptor that chooses the server sets it for the stages below, to a text that differs for each
    /// server, such as `https://api.example.com at 10.0.0.7:8443`. Circuit breakers, rate limits and adaptive
    /// limits below then keep their state by this text, and their errors and events show it. Nothing is
    /// connected or sent by it.
    public var authority: String? {
        get { self[CallAuthority.self] }
        set { self[CallAuthority.self] = newValue }
    }
}
