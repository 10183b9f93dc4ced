#if Metrics
import InterceptorKit

/// What measurements are told apart by: few names, each of few values.
struct Labels: Hashable, Sendable {
    private struct Label: Hashable, Sendable {
        let name: String
        let value: String
    }

    private var labels: [Label]

    var dimensions: [(String, String)] { labels.map { ($0.name, $0.value) } }

    init(_ pairs: [(String, String)]) { labels = pairs.map { Label(name: $0.0, value: $0.1) } }

    /// The destination of a request, from the attributes of the send; `nil` if it isn't one of HTTP's.
    init?(target attributes: Event.Attributes, _ instruments: Instruments) {
        guard let method = attributes.requestMethod, let url = attributes.requestURL else { return nil }
        // What was hidden stands in the query, and is no part of a URL.
        let origin = HTTP.URL(unvalidated: String(url.beginning { $0 != "?" && $0 != "#" })).origin
        let host = origin.map { instruments.known($0.serverAddress, among: "server.address") }
        self.init([("http.request.method", KnownMethod.name(of: method))])
        add("server.address", host)
        // A port is as good a name to make up as a host is.
        if host != KnownMethod.other { add("server.port", origin.map { "\($0.port)" }) }
    }

    /// A decision that is counted, by those of its attributes that have few values; `nil` for others.
    init?(decision event: Event, _ instruments: Instruments) {
        guard let names = Self.counted[event.name] else { return nil }
        self.init([])
        for name in names {
            guard let value = event.attributes[name]?.description else { continue }
            let isOpen = name == "authority" || name == "endpoint"
            add(name, isOpen ? instruments.known(value, among: name) : value)
        }
    }

    func adding(outcome attributes: Event.Attributes) -> Labels {
        var labels = self
        if let status = attributes.statusCode {
            labels.add("http.response.status_code", "\(status)")
            if status >= 400 { labels.add("error.type", "\(status)") }
        }
        labels.add("error.type", attributes.errorType)
        return labels
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { labels.append(Label(name: name, value: value)) }
    }

    private static let counted: [Event.Name: [String]] = [
        .retryScheduled: [], .retryStopped: [], .hedgeSent: [], .hedgeWithheld: [],
        .circuitOpened: ["authority"], .circuitHalfOpened: ["authority"],
        .circuitClosed: ["authority"], .circuitRejected: ["authority", "reason"],
        .limitWaited: ["authority"], .limitRejected: ["authority"],
        .refreshStarted: [], .refreshEnded: ["outcome"], .credentialRejected: [],
        .sessionEnded: [], .timedOut: ["code"], .fallbackUsed: [], .coalesced: [],
        .redirectFollowed: [], .errorMapped: [],
        // Of InterceptorKitLoadBalancing, which this module does not import.
        "endpoint.ejected": ["endpoint"], "endpoint.restored": ["endpoint"],
        "endpoints.source_failed": [],
    ]
}
#endif
