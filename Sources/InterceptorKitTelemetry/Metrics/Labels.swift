#if Metrics
import InterceptorKit

/// The labels of a measurement: few names, with few values each.
struct Labels: Hashable, Sendable {
    private struct Label: Hashable, Sendable {
        let name: String
        let value: String
    }

    private var labels: [Label]

    var dimensions: [(String, String)] { labels.map { ($0.name, $0.value) } }

    init(_ pairs: [(String, String)]) { labels = pairs.map { Label(name: $0.0, value: $0.1) } }

    /// The labels of a request's destination, from the attributes of a send; `nil` if the send is not HTTP.
    init?(target attributes: Event.Attributes, _ instruments: Instruments) {
        guard let method = attributes.requestMethod, let url = attributes.requestURL else {
            return nil
        }
        // Redaction only changes the query, which may make the text an invalid URL.
        let origin = HTTP.URL(unvalidated: String(url.beginning { $0 != "?" && $0 != "#" })).origin
        let host = origin.map { instruments.known($0.serverAddress, among: "server.address") }
        self.init([("http.request.method", KnownMethod.name(of: method))])
        add("server.address", host)
        // Without a known host, ports would be an unlimited set of values.
        if host != KnownMethod.other { add("server.port", origin.map { "\($0.port)" }) }
    }

    /// The labels of a counted decision, from its attributes with few values; `nil` for other events.
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
        // From InterceptorKitLoadBalancing, which this module does not import.
        "endpoint.ejected": ["endpoint"], "endpoint.restored": ["endpoint"],
        "endpoints.source_failed": [],
    ]
}
#endif
