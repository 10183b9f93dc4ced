extension LoopbackServer: LeakChecked {
    /// The open connections.
    public var leaks: [String] {
        let count = openConnections
        return count == 0 ? [] : ["\(count) open connections to the server at \(origin)"]
    }
}
