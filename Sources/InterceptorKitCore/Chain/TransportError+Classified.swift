extension TransportError: ClassifiedError {
    /// What a failure on the way means: TLS and a closed transport are permanent, anything else may be
    /// over at the next try.
    public var classification: Classification {
        let kind: Classification.Kind =
            switch code {
            case .tls, .closed: .permanent
            default: .transient
            }
        return Classification(
            kind,
            reason: code.description,
            isUnsent: isUnsent,
            // Not where no connection could be made: that would fail again at once.
            isReturnedUnprocessed: code == .connectionLost || code == .protocolViolation
        )
    }
}
