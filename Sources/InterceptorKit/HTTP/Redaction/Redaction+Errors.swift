extension TransportError: CustomStringConvertible {
    /// The message, what looks like a secret in it hidden, and what was tried; the cause stays a value,
    /// because engines name URLs in theirs.
    public var description: String {
        ([Redaction.standard.text(message)] + attempts.map(\.description)).joined(separator: "\n")
    }
}

extension PipelineError: CustomStringConvertible {
    /// The message, what looks like a secret in it hidden.
    public var description: String { Redaction.standard.text(message) }
}

extension TransportError: CustomReflectable {
    /// The kinds of failure and the description, so that `dump` and debuggers do not show the cause's URL.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension PipelineError: CustomReflectable {
    /// The kind of mistake, the description and the cause's type.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}
