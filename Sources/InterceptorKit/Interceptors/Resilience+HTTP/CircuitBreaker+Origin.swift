extension CircuitBreaker {
    /// Rejects all calls to an origin until it is reset, or until a time has passed. Calls under way aren't affected.
    ///
    /// After the time, calls are let through as after a break: first one at a time, as probes. For all origins at once,
    /// set the ``mode`` to ``Mode/isolated``.
    /// - Parameters:
    ///   - origin: The origin, in any spelling, such as `https://api.example.com`.
    ///   - duration: The time for which calls are rejected, from zero to 100 years. Defaults to `nil`, which means until
    ///     a reset.
    ///   - runtime: The runtime of the calls. Defaults to the live runtime.
    /// - Throws: As ``HTTP/Origin/validate()``, if the text is no origin.
    public func isolate(
        _ origin: HTTP.Origin,
        for duration: Duration? = nil,
        runtime: Runtime = .live
    ) throws(HTTP.RequestError) {
        try origin.validate()
        isolate(origin.description, for: duration, runtime: runtime)
    }

    /// Closes the circuit of an origin and clears its counts.
    /// - Parameter origin: The origin, in any spelling, such as `https://api.example.com`.
    /// - Throws: As ``HTTP/Origin/validate()``, if the text is no origin.
    public func reset(_ origin: HTTP.Origin) throws(HTTP.RequestError) {
        try origin.validate()
        reset(origin.description)
    }

    /// Returns the status of an origin; closed and empty if no call to it was counted, as for a text that is no origin.
    /// - Parameters:
    ///   - origin: The origin, in any spelling, such as `https://api.example.com`.
    ///   - runtime: The runtime of the calls. Defaults to the live runtime.
    public func status(of origin: HTTP.Origin, runtime: Runtime = .live) -> Status {
        status(of: origin.description, runtime: runtime)
    }
}
