import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One wait for an operation: starts it, asks for its state, and fetches the result.
struct OperationWait {
    // So that a server which names no time at all is not asked in a loop.
    private static let shortest = Duration.milliseconds(100)

    let client: HTTP.Client
    let request: HTTP.Request
    let options: HTTP.PollingOptions
    let timeout: Duration?
    let configure: @Sendable (inout Call) throws -> Void
    let state: @Sendable (HTTP.Response) async throws -> HTTP.OperationState
    private var monitor: HTTP.URL?
    private var origin: HTTP.Origin?
    private var waits = 0

    init(
        client: HTTP.Client,
        request: HTTP.Request,
        options: HTTP.PollingOptions,
        timeout: Duration?,
        configure: @escaping @Sendable (inout Call) throws -> Void,
        state: @escaping @Sendable (HTTP.Response) async throws -> HTTP.OperationState
    ) {
        self.client = client
        self.request = request
        self.options = options
        self.timeout = timeout
        self.configure = configure
        self.state = state
    }

    mutating func run() async throws -> HTTP.Response {
        let end = client.runtime.now.advanced(by: options.limit)
        var response = try await send(request)
        if request.method == .get { monitor = url(of: response) }
        while true {
            switch try await state(response) {
            case .done:
                return response
            case .failed(let reason):
                throw HTTP.OperationError(
                    .failed,
                    "\(lead(to: response)) \(reason)",
                    response: response,
                    monitor: monitor
                )
            case .result(let url):
                return try await send(try get(url, after: response))
            case .running(let wish):
                try locate(in: response)
                let next = try get(monitor, after: response)
                try await wait(wish, response, until: end)
                response = try await send(next)
            }
        }
    }

    private mutating func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        var response = try await client.send(request, timeout: timeout, configure: configure)
        response.body = .bytes(try await response.body.collect(upTo: options.bodyLimit))
        if origin == nil {
            // Where a redirect led, the request's own fields did not go.
            let source = response.redirects.first?.source ?? response.request?.url
            origin = (source ?? request.url).origin
        }
        return response
    }

    // A status of 400 and more says nothing of an operation that another response reported to go on.
    private func lead(to response: HTTP.Response) -> String {
        guard response.status.code >= 400 else { return "The operation has failed." }
        return waits == 0 && request.method != .get
            ? "The operation could not be started."
            : "The state of the operation could not be asked for, so it may go on; ask again at the error's `monitor`."
    }

    private func url(of response: HTTP.Response) -> HTTP.URL {
        (response.request ?? request).url
    }

    /// Takes over where the state is to be asked for; a later response may move it.
    private mutating func locate(in response: HTTP.Response) throws(HTTP.OperationError) {
        if let place = response.headers["Operation-Location"] ?? response.headers["Location"] {
            monitor = HTTP.URL(received: place).resolved(against: url(of: response))
        }
        guard monitor == nil else { return }
        throw HTTP.OperationError(
            .noMonitor,
            "The server accepted the operation with \(response.status), and named no place to ask for its state, "
                + "by Operation-Location or Location.",
            response: response
        )
    }

    private func get(_ url: HTTP.URL?, after response: HTTP.Response) throws -> HTTP.Request {
        let target = (url ?? self.url(of: response)).resolved(against: self.url(of: response))
        if let next = target.origin, let origin, next != origin {
            throw HTTP.OperationError(
                .otherOrigin,
                "The operation at \(origin) is to be asked for at \(next), which would get what the chain adds to "
                    + "requests. If that is right, wait for it with a client of that service.",
                response: response,
                monitor: target
            )
        }
        var next = HTTP.Request.get(target)
        for field in request.headers where options.keptFields.contains(field.name.lowercased()) {
            next.headers.append(name: field.name, value: field.value)
        }
        return next
    }

    private mutating func wait(
        _ wish: Duration?,
        _ response: HTTP.Response,
        until end: Runtime.Instant
    ) async throws {
        let runtime = client.runtime
        waits += 1
        let asked = wish ?? response.headers.retryAfter(date: runtime.date)
        let delay =
            asked.map { min(max($0, Self.shortest), options.longestRetryAfter) }
            ?? options.backoff.delay(after: waits, fraction: runtime.randomFraction())
        let next = runtime.now.advanced(by: delay)
        guard next <= end else {
            throw HTTP.OperationError(
                .timedOut,
                "The operation has not ended within \(options.limit.formattedSeconds). It may go on: ask for its state at the error's "
                    + "`monitor`.",
                response: response,
                monitor: monitor
            )
        }
        try await runtime.sleep(until: next)
    }
}
