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
    /// Bytes of a request's body have left: `bytes` so far, and `total` where it is known.
    public static let bodySent: Self = "request_body.sent"
    /// The body of a response began to arrive: `total` bytes, where that is known.
    public static let bodyBegan: Self = "response_body.began"
    /// Bytes of a response's body have arrived: `bytes` so far, and `total` where it is known.
    public static let bodyReceived: Self = "response_body.received"
    /// The body of a response was read to its end, or not: `bytes` that had arrived.
    public static let bodyEnded: Self = "response_body.ended"
    /// Another attempt will be made: `reason`, `delay`.
    public static let retryScheduled: Self = "retry.scheduled"
    /// No further attempt will be made although the last one failed: `reason`, `rule`, `outcome`.
    public static let retryStopped: Self = "retry.stopped"
    /// A credential was attached.
    public static let credentialAttached: Self = "credential.attached"
    /// A credential was rejected by the server: `reason`.
    public static let credentialRejected: Self = "credential.rejected"
    /// A shared refresh began.
    public static let refreshStarted: Self = "credential.refresh_started"
    /// A shared refresh ended: `outcome`.
    public static let refreshEnded: Self = "credential.refresh_ended"
    /// A signature was added: `key.id`.
    public static let signed: Self = "signature.added"
    /// No signature was added, because a redirect led to another origin.
    public static let signatureWithheld: Self = "signature.withheld"
    /// An outcome was turned into an error of the caller's: `code`.
    public static let errorMapped: Self = "error.mapped"
    /// An error was turned into a response.
    public static let errorRecovered: Self = "error.recovered"
}
