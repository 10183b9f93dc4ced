private enum CallRedaction: CallKey {
    static let defaultValue = Redaction.standard
}

extension Call {
    /// Decides what events show of this call's requests, responses and errors. Defaults to
    /// ``Redaction/standard``.
    ///
    /// A client sets its own redaction on each of its calls.
    public var redaction: Redaction {
        get { self[CallRedaction.self] }
        set { self[CallRedaction.self] = newValue }
    }
}
