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

extension TimeoutError: CustomReflectable {
    /// What took too long, the description and the cause's type.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension CacheStoreError: CustomReflectable {
    /// The kind of failure, the description and the cause's type.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension CredentialStoreError: CustomReflectable {
    /// The kind of failure, the description and the cause's type.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension HTTP.ContentError: CustomReflectable {
    /// The kind of failure, the description and the type of the cause, which may quote content.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension HTTP.TransferError: CustomReflectable {
    /// The kind of failure, the description and the cause's type, without the response's body.
    public var customMirror: Mirror { Mirror(of: self, code: code, cause: cause) }
}

extension Mirror {
    // What an error of a library's or of a system's may quote is not known.
    fileprivate init(
        of error: some Error & CustomStringConvertible,
        code: some CustomStringConvertible,
        cause: (any Error)?
    ) {
        self.init(
            error,
            children: [
                "code": code.description, "description": error.description,
                "cause": cause.map { typeName(of: $0) } as Any,
            ]
        )
    }
}
