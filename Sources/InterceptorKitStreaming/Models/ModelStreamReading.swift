import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The limits for reading after the end event, so that the connection can be reused; the same as for a dropped response.
private let restBytes = 4096
private let restTime = Duration.milliseconds(100)

/// An iteration of a model stream: sends the request, reads, and sends it again while no event has arrived.
struct ModelStreamReading<Output: Sendable> {
    private let stream: HTTP.ModelStream<Output>
    private var body = HTTP.Body.empty
    private var chunks: HTTP.Body.AsyncIterator?
    private var parser: EventParser
    private var attempts = 0
    private var hasEvent = false
    private var hasEnded = false
    // The output is complete, but the bytes after it are unread.
    private var hasLast = false
    private var received: [Output] = []
    private var receivedBytes = 0
    private var keepsAll = true

    init(_ stream: HTTP.ModelStream<Output>) {
        self.stream = stream
        parser = EventParser(limit: stream.options.eventLimit)
    }

    private var runtime: Runtime { stream.client.runtime }

    mutating func next() async throws -> Output? {
        while !hasEnded {
            do {
                try Task.checkCancellation()
                if let output = try await step() { return output }
            } catch {
                try await recover(from: error)
            }
        }
        return nil
    }

    private mutating func step() async throws -> Output? {
        guard var open = chunks else {
            attempts += 1
            parser.reset()
            body = try await connect()
            chunks = body.makeAsyncIterator()
            return nil
        }
        if hasLast {
            await readRest(open)
            end()
            return nil
        }
        while let item = try parser.next() {
            guard case .event(let event, _) = item else { continue }
            hasEvent = true
            switch try stream.decoder.interpret(event) {
            case .nothing: continue
            case .end:
                await readRest(open)
                end()
                return nil
            case .output(let output):
                keep(output, event.data.utf8.count)
                return output
            case .last(let output):
                hasLast = true
                return output
            }
        }
        let chunk: Data?
        do {
            chunk = try await open.next()
        } catch {
            guard !(error is CancellationError), let ending = cutOffEnding() else { throw error }
            return finish(with: ending)
        }
        guard let chunk else {
            guard let ending = cutOffEnding(isEndOfBody: true) else {
                throw HTTP.StreamingError(
                    .closed,
                    "The server ended the stream before its end event."
                )
            }
            return finish(with: ending)
        }
        chunks = open
        parser.append(chunk)
        return nil
    }

    private func readRest(_ chunks: HTTP.Body.AsyncIterator) async {
        var chunks = chunks
        await withTaskGroup { [body, runtime] group in
            group.addTask {
                do { try await runtime.sleep(for: restTime) } catch { return }
                body.cancel()
            }
            var count = 0
            while count < restBytes, let chunk = try? await chunks.next() { count += chunk.count }
            group.cancelAll()
        }
    }

    private enum Ending {
        case end
        case last(Output)
    }

    private mutating func finish(with ending: Ending) -> Output? {
        end()
        guard case .last(let output) = ending else { return nil }
        return output
    }

    /// Handles a stream that breaks or ends without the empty line after the end event, which some servers omit.
    /// - Returns: The end of the output; `nil` if the stream is broken.
    private mutating func cutOffEnding(isEndOfBody: Bool = false) -> Ending? {
        let endsHere = isEndOfBody && hasEvent && stream.options.endsWithBody
        guard let event = parser.cutOff() else { return endsHere ? .end : nil }
        switch try? stream.decoder.interpret(event) {
        case .end: return .end
        case .last(let output): return .last(output)
        case .output(let output): return endsHere ? .last(output) : nil
        case .nothing: return endsHere ? .end : nil
        case nil: return nil
        }
    }

    private func connect() async throws -> HTTP.Body {
        var request = stream.request
        request.headers.setIfAbsent(name: "Accept", value: "text/event-stream")
        let response = try await stream.client.openEventStream(
            request,
            silenceLimit: stream.options.silenceLimit,
            timeout: stream.timeout,
            configure: stream.configure
        )
        guard response.status == 200 else {
            throw try await stream.client.refusal(of: response) { response in
                HTTP.StreamingError(
                    .refused,
                    "The request for a stream was answered with \(response.status).",
                    response: response
                )
            }
        }
        guard response.isEventStream else {
            throw try await stream.client.refusal(of: response, \.unexpectedMediaType)
        }
        return response.body
    }

    private mutating func keep(_ output: Output, _ bytes: Int) {
        receivedBytes += bytes
        keepsAll = keepsAll && receivedBytes <= stream.options.receivedLimit
        if keepsAll { received.append(output) }
    }

    private mutating func end() {
        hasEnded = true
        body = .empty
        chunks = nil
        received = []
    }

    /// Waits before the request is sent again, or throws the error that ends the stream.
    private mutating func recover(from error: any Error) async throws {
        let received = received
        let mayBeSentAgain = !hasEvent && attempts < stream.options.attempts && Self.isBreak(error)
        if error is CancellationError || Task.isCancelled {
            end()
            throw CancellationError()
        }
        guard mayBeSentAgain else {
            end()
            guard hasEvent else { throw error }
            throw HTTP.ModelStreamError(received: received, keepsAll: keepsAll, reason: error)
        }
        body = .empty
        chunks = nil
        let delay = stream.options.backoff.delay(
            after: attempts,
            fraction: runtime.randomFraction()
        )
        do {
            try await stream.client.runTransfer { [runtime] in try await runtime.sleep(for: delay) }
        } catch {
            end()
            throw error
        }
    }

    // The chain's own retry has already handled statuses and the chain's other errors.
    private static func isBreak(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTP.StreamingError: error.code == .closed
        case let error as TransportError: error.isRetryable
        case let error as TimeoutError: [.bodyIdle, .bodyRate, .bodyTotal].contains(error.code)
        default: false
        }
    }
}
