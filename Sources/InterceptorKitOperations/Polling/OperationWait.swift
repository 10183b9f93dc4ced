import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One wait for an operation: starts it, polls its state, and fetches the result.
struct OperationWait {
    // Prevents a tight loop if a server sets no delay.
    private static let shortest = Duration.milliseconds(100)
    /// The largest number of URLs to follow to the result: 5, like the limit of redirects in RFC 2068 (section 10.3).
    private static let placeLimit = 5

    let client: HTTP.Client
    let request: HTTP.Request
    let options: HTTP.PollingOptions
    let timeout: Duration?
    let configure: @Sendable (inout Call) throws -> Void
    let state: @Sendable (HTTP.Response) async throws -> HTTP.OperationState
    private var monitor: HTTP.URL?
    /// Whether the server named the monitor explicitly. A later `Location` is then the URL of the result.
    private var isMonitorNamed = false
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
        var places = 0
        while true {
            // After the end, each response is for the result, and its status tells whether the result exists.
            let found = places == 0 ? try await state(response) : .byStatus(response)
            switch found {
            case .done:
                return response
            case .failed(let reason):
                throw failed(
                    places == 0
                        ? "\(lead(to: response)) \(reason)"
                        : "The operation has ended, and its result was answered with \(response.status).",
                    response
                )
            case .result(let url):
                guard places < Self.placeLimit else {
                    throw failed("The operation's result is at one place after another.", response)
                }
                places += 1
                response = try await send(try get(url, after: response))
            case .running(let retryAfter, let named):
                if places > 0 {
                    monitor = url(of: response)
                } else {
                    try locate(in: response, named)
                }
                let next = try get(monitor, after: response)
                try await wait(retryAfter, response, until: end)
                response = try await send(next)
            }
        }
    }

    private func failed(_ message: String, _ response: HTTP.Response) -> HTTP.OperationError {
        HTTP.OperationError(.failed, message, response: response, monitor: monitor)
    }

    private mutating func send(_ request: HTTP.Request) async throws -> HTTP.Response {
        var response = try await client.send(request, timeout: timeout, configure: configure)
        response.body = .bytes(try await response.body.collect(upTo: options.bodyLimit))
        if origin == nil {
            // The origin before any redirect is the one that got the request's own fields.
            let source = response.redirects.first?.source ?? response.request?.url
            origin = (source ?? request.url).origin
        }
        return response
    }

    // A status of 400 or more from the monitor does not mean that the operation has failed.
    private func lead(to response: HTTP.Response) -> String {
        guard response.status.code >= 400 else { return "The operation has failed." }
        return waits == 0 && request.method != .get
            ? "The operation could not be started."
            : "The state of the operation could not be asked for, so it may go on; ask again at the error's `monitor`."
    }

    private func url(of response: HTTP.Response) -> HTTP.URL {
        (response.request ?? request).url
    }

    private mutating func locate(
        in response: HTTP.Response,
        _ named: HTTP.URL?
    ) throws(HTTP.OperationError) {
        let base = url(of: response)
        if let location = named ?? response.headers.operationMonitor {
            monitor = location.resolved(against: base)
            isMonitorNamed = true
        } else if !isMonitorNamed, monitor == nil || [201, 202].contains(response.status),
            let location = response.headers["Location"]
        {
            monitor = HTTP.URL(received: location, at: base).resolved(against: base)
        }
        guard monitor == nil else { return }
        throw HTTP.OperationError(
            .noMonitor,
            "The server accepted the operation with \(response.status), and named no place to ask for its state, "
                + "by Operation-Location, Azure-AsyncOperation or Location. If its body does, pass a `state` that "
                + "returns `.running(at:)`.",
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
        _ retryAfter: Duration?,
        _ response: HTTP.Response,
        until end: Runtime.Instant
    ) async throws {
        let runtime = client.runtime
        waits += 1
        let asked = retryAfter ?? response.headers.retryAfter(date: runtime.date)
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
