import Foundation
import InterceptorKit
import InterceptorKitTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's request, which is sent through its route and delivered as its response arrives.
struct RoutedRequest: Sendable {
    let route: Route
    let urlRequest: URLRequest
    /// The body of an upload, which replaces the request's own.
    var uploadBody: HTTP.Body?
    /// Whether the whole body must be delivered at once, because Foundation keeps only the last chunk.
    let isCollected: Bool

    /// Sends the request, and delivers its response or its failure.
    func run(_ load: RoutedLoad) async {
        do {
            try await withIdleTimeout(
                route.settings.idleTimeout(of: urlRequest),
                overall: route.settings.resourceTimeout,
                on: route.client.runtime
            ) { activity in
                try await operation(load, activity)
            }
        } catch {
            let failure = URLError(routing: error, of: urlRequest)
            // Even after a cancellation: a load that is over ignores deliveries.
            try? await load.produce([.failed(failure)], isLast: true)
        }
    }

    private func operation(_ load: RoutedLoad, _ activity: Activity) async throws {
        let settings = route.settings
        try checkCachePolicy()
        let request = try settings.request(urlRequest, body: uploadBody)
        let response = try await route.send(request) { call in
            call.onBodySent = { [previous = call.onBodySent] bytes in
                activity.note()
                previous?(bytes)
            }
            call.onInformational = { [previous = call.onInformational] response in
                activity.note()
                previous?(response)
            }
        }
        activity.note()
        let head = try response.foundationHead(for: urlRequest)
        if let url = head.url {
            settings.cookies?.keep(response.headers, from: url, for: urlRequest)
        }
        if isCollected {
            let body = try await collect(response.body, upTo: settings.bodyLimit, activity)
            let chunks: [RoutedLoad.Delivery] = body.isEmpty ? [] : [.chunk(body)]
            return try await activity.pausing {
                try await load.produce([.head(head)] + chunks + [.finished], isLast: true)
            }
        }
        try await activity.pausing { try await load.produce([.head(head)]) }
        for try await chunk in response.body {
            try await activity.pausing { try await load.produce([.chunk(chunk)]) }
        }
        try await activity.pausing { try await load.produce([.finished], isLast: true) }
    }

    private func checkCachePolicy() throws {
        let hasCache = route.client.pipeline.interceptors.contains { $0.placement == .cache }
        if route.settings.mustBeCached(urlRequest), !hasCache { throw RoutingError.notCached }
    }

    private func collect(
        _ body: HTTP.Body,
        upTo limit: Int,
        _ activity: Activity
    ) async throws -> Data {
        if let data = body.inMemory { return data }
        var collected = Data()
        for try await chunk in body {
            activity.note()
            guard collected.count + chunk.count <= limit else {
                throw RoutingError.bodyTooLarge(limit: limit)
            }
            collected.append(chunk)
        }
        return collected
    }
}

extension HTTP.Response {
    fileprivate func foundationHead(for request: URLRequest) throws -> HTTPURLResponse {
        var response = self
        #if canImport(FoundationNetworking)
        // With a Basic challenge, Foundation would wait forever or send the request again past the chain. It does not
        // look past an empty list element, which has no meaning (RFC 9110 section 5.6.1.2).
        if status == 401, let challenge = headers["WWW-Authenticate"],
            challenge.lowercased().contains("basic")
        {
            response.headers["WWW-Authenticate"] = ", \(challenge)"
        }
        #endif
        let sent = response.request.flatMap { Foundation.URL(string: $0.url.text) }
        guard let head = HTTPURLResponse(response, url: sent ?? request.url) else {
            throw TransportError(.other, "Foundation does not take the response's head.")
        }
        return head
    }
}
