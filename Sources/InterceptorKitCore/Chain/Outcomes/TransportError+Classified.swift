extension TransportError: ClassifiedError {
    /// The classification of a transport failure: TLS failures, a proxy's refusal, a closed transport and
    /// what it does not support are permanent; any other failure may pass.
    public var classification: Classification {
        let kind: Classification.Kind =
            switch code {
            case .tls, .proxyRefused, .closed, .unsupported: .permanent
            default: .transient
            }
        return Classification(
            kind,
            reason: code.description,
            isUnsent: isUnsent,
            // Not where no connection could be made: that would fail again at once.
            isReturnedUnprocessed: code == .connectionLost || code == .protocolViolation,
            isTimeout: code == .timedOut
        )
    }
}
