extension Event.Name {
    /// A call entered its pipeline; `input` is the input's summary, if it has one (``Summarizable``).
    public static let callBegan: Self = "call.began"
    /// A call left its pipeline: `input` as at its beginning, its `duration`, `output`, also of an error that stands for
    /// one, or `error.type` and `error.message`, the number of its last attempt, and `stop_reason` if a limit on retries
    /// other than their number decided that there was no other.
    public static let callEnded: Self = "call.ended"
    /// A stage was entered on the way down.
    public static let entered: Self = "stage.entered"
    /// A stage was left on the way up; `output` is the output's summary, if it has one (``Summarizable``).
    public static let left: Self = "stage.left"
    /// A stage was left by throwing; `error.type` names the error's type, `error.message` is its
    /// description without secrets.
    public static let failed: Self = "stage.failed"
    /// A stage was left because the caller's task was cancelled.
    public static let cancelled: Self = "stage.cancelled"
    /// An attempt began, at a stage that may make several; `input` is the input's summary, if it has one.
    public static let attemptBegan: Self = "attempt.began"
    /// An attempt ended; `output` or `error.type` says how.
    public static let attemptEnded: Self = "attempt.ended"
    /// A wait began: `reason`, and `delay` if it is known.
    public static let waitBegan: Self = "wait.began"
    /// A wait ended.
    public static let waitEnded: Self = "wait.ended"
}
