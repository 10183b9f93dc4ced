public import InterceptorKitLoopback

extension TestKitError.Code {
    /// There are fewer replies than sends, or fewer recorded requests than sent ones.
    public static let exhausted = Self(description: "exhausted")
    /// No expectation in the script matches the input, or the request was not recorded.
    public static let unmatched = Self(description: "unmatched")
    /// An expected or recorded request was not sent.
    public static let unused = Self(description: "unused")
    /// A step of a script is invalid.
    public static let invalidStep = Self(description: "invalidStep")
    /// A recording's file cannot be read.
    public static let unreadable = Self(description: "unreadable")
    /// The file isn't an HTTP archive, or the request's exchange in it cannot be replayed.
    public static let invalid = Self(description: "invalid")
    /// A recording's file cannot be written.
    public static let unwritable = Self(description: "unwritable")
    /// The response was recorded without its body.
    public static let bodyNotRecorded = Self(description: "bodyNotRecorded")
}
