extension Event.Name {
    /// Cookies were attached: `count`.
    public static let cookiesAttached: Self = "cookies.attached"
    /// A response set cookies: `kept`, and `refused` for the invalid ones.
    public static let cookiesReceived: Self = "cookies.received"
}
