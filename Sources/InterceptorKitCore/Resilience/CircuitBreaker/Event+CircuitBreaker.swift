extension Event.Name {
    /// A circuit breaker opened: `authority`, `reason`, `break` (how long).
    public static let circuitOpened: Self = "circuit.opened"
    /// A circuit breaker let a probe through: `authority`, `reason` (what had opened it).
    public static let circuitHalfOpened: Self = "circuit.half_opened"
    /// A circuit breaker closed: `authority`.
    public static let circuitClosed: Self = "circuit.closed"
    /// A circuit breaker rejected a call: `authority`, `reason` (the code of a ``CircuitBreakerError``),
    /// `retry_after`.
    public static let circuitRejected: Self = "circuit.rejected"
}

extension CircuitBreakerError {
    var attributes: Event.Attributes {
        var attributes: Event.Attributes = ["reason": .text(code.description)]
        if let authority { attributes["authority"] = .text(authority) }
        if let retryAfter { attributes["retry_after"] = .duration(retryAfter) }
        return attributes
    }
}

extension CircuitBreaker.Change {
    var eventName: Event.Name {
        switch to {
        case .closed: .circuitClosed
        case .halfOpen: .circuitHalfOpened
        default: .circuitOpened
        }
    }

    var attributes: Event.Attributes {
        var attributes: Event.Attributes = [:]
        if let authority { attributes["authority"] = .text(authority) }
        if !cause.isEmpty { attributes["reason"] = .text(cause) }
        if let breakDuration { attributes["break"] = .duration(breakDuration) }
        return attributes
    }
}
