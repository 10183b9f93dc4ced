public import InterceptorKit

/// An iteration of an event source: connects, reads, waits and reconnects.
struct EventSourceConnection {
    private enum Phase {
        case connecting
        case open(HTTP.Body.AsyncIterator)
        case waiting(until: Runtime.Instant)
        case ended
    }

    private let source: HTTP.EventSource
    private var phase = Phase.connecting
    private var parser: EventParser
    // The id after which to resume. It stays while a server repeats delivered events.
    private var cursor: String?
    private var delivered: DeliveredEvents
    private var delay: ReconnectionDelay
    private var began: Runtime.Instant
    private var connections = 0

    init(_ source: HTTP.EventSource) {
        self.source = source
        cursor = source.options.lastEventID.flatMap { $0.isEmpty ? nil : $0 }
        parser = EventParser(limit: source.options.eventLimit, lastEventID: cursor)
        delivered = DeliveredEvents(capacity: source.options.deduplicationWindow)
        delay = ReconnectionDelay(source.options)
        began = source.client.runtime.now
    }

    private var runtime: Runtime { source.client.runtime }

    /// Returns the next update; `nil` after the end.
    /// - Throws: `CancellationError` only.
    mutating func next() async throws -> HTTP.EventSource.Update? {
        while true {
            do {
                if let update = try await step() { return update }
                if case .ended = phase { return nil }
            } catch let error as CancellationError {
                phase = .ended
                throw error
            } catch {
                // Report the cancellation, not the error that it caused in the transport.
                if Task.isCancelled {
                    phase = .ended
                    throw CancellationError()
                }
                return end(because: error)
            }
        }
    }

    private mutating func step() async throws -> HTTP.EventSource.Update? {
        switch phase {
        case .ended:
            return nil
        case .waiting(let instant):
            // In the client's registry, so that `cancelAll()` ends the wait.
            try await source.client.runTransfer { [runtime] in
                try await runtime.sleep(until: instant)
            }
            phase = .connecting
            return nil
        case .connecting:
            return try await connect()
        case .open(var chunks):
            try Task.checkCancellation()
            if let update = try nextOfChunk() { return update }
            do {
                guard let chunk = try await chunks.next() else {
                    throw HTTP.StreamingError(.closed, "The server ended the event stream.")
                }
                phase = .open(chunks)
                parser.append(chunk)
                return nil
            } catch {
                return try disconnect(because: error)
            }
        }
    }

    private mutating func nextOfChunk() throws(HTTP.StreamingError) -> HTTP.EventSource.Update? {
        // Updated after an event and after a block with only an id.
        defer { if !delivered.isRepeating { cursor = parser.lastEventID } }
        while let item = try parser.next() {
            switch item {
            case .comment(let text):
                return .comment(text)
            case .event(let event, let hasOwnID):
                guard delivered.take(event, hasOwnID: hasOwnID) else { continue }
                delay.reset()
                return .event(event)
            }
        }
        return nil
    }

    private mutating func connect() async throws -> HTTP.EventSource.Update {
        began = runtime.now
        connections += 1
        parser.reset(after: cursor)
        delivered.beginConnection()
        let response: HTTP.Response
        do {
            response = try await send()
        } catch {
            return try disconnect(because: error)
        }
        let status = response.status
        if status == 200, response.isEventStream {
            phase = .open(response.body.makeAsyncIterator())
            var head = response
            head.body = .empty
            return .opened(head)
        }
        if status == 200 {
            throw try await source.client.refusal(of: response, \.unexpectedMediaType)
        }
        if status == 204 {
            await response.discard(on: runtime)
            return end(because: nil)
        }
        let error = try await source.client.refusal(of: response) { response in
            HTTP.StreamingError(
                .refused,
                "The event stream was answered with \(status).",
                response: response
            )
        }
        return try disconnect(because: error)
    }

    private func send() async throws -> HTTP.Response {
        var request = source.request
        request.headers.setIfAbsent(name: "Accept", value: "text/event-stream")
        // As browsers do; it prevents caches from responding with past events.
        request.headers.setIfAbsent(name: "Cache-Control", value: "no-cache")
        if let id = parser.lastEventID { try source.options.resume(&request, id) }
        return try await source.client.openEventStream(
            request,
            silenceLimit: source.options.silenceLimit,
            timeout: source.timeout
        ) { call in
            if connections > 1 {
                call.emit(
                    .eventSourceReconnected,
                    from: "HTTP.Client",
                    ["connection": .number(connections)]
                )
            }
            try source.configure(&call)
        }
    }

    private mutating func disconnect(because error: any Error) throws -> HTTP.EventSource.Update {
        if error is CancellationError || Task.isCancelled { throw CancellationError() }
        let judgement = Reconnection(after: error, date: runtime.date)
        guard judgement.isWorthwhile else { return end(because: error) }
        let wait = delay.next(
            retry: parser.retry,
            retryAfter: judgement.retryAfter,
            fraction: runtime.randomFraction(),
            elapsed: began.duration(to: runtime.now)
        )
        phase = .waiting(until: runtime.now.advanced(by: wait))
        return .willReconnect(after: wait, because: error)
    }

    private mutating func end(because error: (any Error)?) -> HTTP.EventSource.Update {
        phase = .ended
        return .ended(because: error)
    }
}

extension Event.Name {
    /// An event source reconnected: `connection` counts from 1.
    public static let eventSourceReconnected: Self = "event_source.reconnected"
}
