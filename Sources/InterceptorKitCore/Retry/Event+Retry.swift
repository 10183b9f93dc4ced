extension Event.Name {
    /// Another attempt will be made: `reason`, `delay`.
    public static let retryScheduled: Self = "retry.scheduled"
    /// No further attempt will be made although the last one failed: `reason`, `rule`, `outcome`.
    public static let retryStopped: Self = "retry.stopped"
    /// A hedge was sent: `number`, and `reason`, which is `slow` or how another attempt failed.
    public static let hedgeSent: Self = "hedge.sent"
    /// A hedge was due but was not sent: `reason`.
    public static let hedgeWithheld: Self = "hedge.withheld"
    /// One of several attempts decided the call's outcome: `number`.
    public static let hedgeDecided: Self = "hedge.decided"
}

extension Call {
    /// Reports the decision of a retry.
    func report(_ decision: RetryDecision, _ classification: Classification) {
        switch decision {
        case .finished:
            break
        case .fail:
            report(.hook, classification)
        case .stop(let stop):
            report(stop, classification)
        case .resend, .retry:
            emit(
                .retryScheduled,
                from: "RetryInterceptor",
                [
                    "reason": .text(classification.reason),
                    "delay": .duration(decision.delay ?? .zero),
                ]
            )
        }
    }

    private func report(_ stop: RetryStopReason, _ classification: Classification) {
        emit(
            .retryStopped,
            from: "RetryInterceptor",
            [
                "reason": .text(stop.reason),
                "rule": .text(stop.rule),
                "outcome": .text(classification.reason),
            ]
        )
    }
}
