public import InterceptorKit

extension Event.Name {
    /// A download asks for the rest of what it has: `bytes`.
    public static let downloadResumed: Self = "download.resumed"
    /// A download asks for all of it again, because what it has cannot be resumed: `bytes`.
    public static let downloadRestarted: Self = "download.restarted"
}
