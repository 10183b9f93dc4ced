extension Event.Name {
    /// A redirect is followed: `status`, `number`, `target` (an origin), `origin.changes`.
    public static let redirectFollowed: Self = "redirect.followed"
    /// A redirect is not followed: `status`, and `reason`, which is the code of a ``RedirectError`` or
    /// `decided` where the policy leaves it to the caller.
    public static let redirectStopped: Self = "redirect.stopped"
}
