extension Array {
    /// Appends an element, and removes the oldest elements so that at most `limit` remain.
    mutating func keep(_ element: Element, upTo limit: Int) {
        if count >= limit { removeFirst(count - limit + 1) }
        append(element)
    }
}

extension Result where Failure == any Error {
    /// Returns the output or throws the error, with the attempts recorded in it if they are a history.
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

    /// Returns an output that has arrived. Throws `CancellationError` in place of a failure.
    func unlessFailed() throws -> Result {
        if case .failure = self { throw CancellationError() }
        return self
    }
}
