private enum UsesCookies: PartitioningCallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether this call sends the store's cookies and stores those of its responses. Defaults to `true`.
    public var usesCookies: Bool {
        get { self[UsesCookies.self] }
        set { self[UsesCookies.self] = newValue }
    }
}
