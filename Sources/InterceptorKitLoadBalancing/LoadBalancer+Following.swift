public import InterceptorKit

extension LoadBalancer {
    /// Applies each set of a source, until the source ends or the task is cancelled.
    ///
    /// ```swift
    /// try await withThrowingTaskGroup { group in
    ///     group.addTask { try await balancer.follow(sets) }
    ///     group.addTask { try await serve(with: balancer) }
    ///     try await group.next()
    ///     group.cancelAll()
    /// }
    /// ```
    ///
    /// A source that throws is asked again after a delay, which grows from 1 s to 30 s. Until it responds, and also if
    /// it gives an empty set, the last set stays in use.
    /// - Parameters:
    ///   - sets: The source. Each element is a complete set.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    ///   - events: The sink for events of changes, refusals and failures. Defaults to none.
    /// - Throws: `CancellationError` if the task was cancelled.
    public func follow<Sets: AsyncSequence & Sendable>(
        _ sets: Sets,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil
    ) async throws where Sets.Element == [ServiceEndpoint] {
        let call = Call(runtime: runtime, events: events)
        var failures = 0
        while true {
            do {
                for try await set in sets {
                    failures = 0
                    use(set, call)
                }
                try Task.checkCancellation()
                return
            } catch {
                try Task.checkCancellation()
                failures += 1
                let longest = min(30, Double(1 << min(failures - 1, 5)))
                let delay = Duration.seconds(longest * (0.5 + runtime.randomFraction() / 2))
                var attributes = call.attributes(of: error)
                attributes.delay = delay
                call.emit(.endpointSourceFailed, from: "LoadBalancer", attributes)
                try await runtime.sleep(for: delay)
            }
        }
    }

    private func use(_ set: [ServiceEndpoint], _ call: Call) {
        let before = endpoints
        let refused = update(set, at: call.runtime.now)
        for endpoint in refused {
            call.emit(
                .endpointRefused,
                from: "LoadBalancer",
                ["endpoint": .text("\(endpoint)")]
            )
        }
        let after = endpoints
        if after != before {
            call.emit(.endpointsChanged, from: "LoadBalancer", ["count": .number(after.count)])
        }
    }
}
