private enum FollowsRedirects: CallKey {
    static let defaultValue = true
}

private enum RedirectLimit: CallKey {
    static let defaultValue: Int? = nil
}

extension Call {
    /// Whether this call's redirects are followed; otherwise they go to the caller. Defaults to `true`.
    public var followsRedirects: Bool {
        get { self[FollowsRedirects.self] }
        set { self[FollowsRedirects.self] = newValue }
    }

    /// The largest number of redirects for this call; `nil`, the default, uses the policy's.
    ///
    /// At zero the first redirect is an error. Values below zero count as zero.
    public var redirectLimit: Int? {
        get { self[RedirectLimit.self] }
        set { self[RedirectLimit.self] = newValue }
    }
}
