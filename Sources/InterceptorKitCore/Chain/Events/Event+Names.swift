extension Event.Name {
    /// A call entered its pipeline: `input` says with what, if it can (``Summarizable``).
    public static let callBegan: Self = "call.began"
    /// A call left its pipeline.
    public static let callEnded: Self = "call.ended"
    /// A stage was entered on the way down.
    public static let entered: Self = "stage.entered"
    /// A stage was left on the way up; `output` says with what, if it can (``Summarizable``).
    public static let left: Self = "stage.left"
    /// A stage was left by throwing; `error.type` names the error's type, `error.message` is its
    /// description without secrets.
    public static let failed: Self = "stage.failed"
    /// A stage was left because the caller's task was cancelled.
    public static let cancelled: Self = "stage.cancelled"
    /// An attempt of several that are possible began.
    public static let attemptBegan: Self = "attempt.began"
    /// An attempt ended, as `output` or `error.type` says.
    public static let attemptEnded: Self = "attempt.ended"
    /// A wait began: `reason`, and `delay` where it is known.
    public static let waitBegan: Self = "wait.began"
    /// A wait ended.
    public static let waitEnded: Self = "wait.ended"
}
