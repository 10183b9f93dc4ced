extension Array {
    /// Appends, and lets the oldest go where there would be more than a limit.
    mutating func keep(_ element: Element, upTo limit: Int) {
        if count >= limit { removeFirst(count - limit + 1) }
        append(element)
    }
}

extension Result where Failure == any Error {
    /// The output, or the error, with what was tried, if there was more than one attempt or its retry was
    /// left out.
    func recording(_ attempts: [Attempt]) throws -> Success {
        guard attempts.isHistory else { return try get() }
        switch self {
        case .success(let output):
            guard var known = output as? any AttemptHistory else { return output }
            known.attempts = attempts
            return known as? Success ?? output
        case .failure(let error):
            guard var known = error as? any AttemptHistory & Error else { throw error }
            known.attempts = attempts
            throw known
        }
    }

    /// For a cancelled caller: an output that is there is theirs, a failure no longer matters.
    func unlessFailed() throws -> Result {
        if case .failure = self { throw CancellationError() }
        return self
    }
}
