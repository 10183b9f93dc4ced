public import InterceptorKit

extension Event.Name {
    /// A download requests the rest of its content: `bytes` it has.
    public static let downloadResumed: Self = "download.resumed"
    /// A download requests all content again, because its part cannot be resumed: `bytes` it has.
    public static let downloadRestarted: Self = "download.restarted"
}
