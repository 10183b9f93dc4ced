public import InterceptorKit

/// One of several servers of the same requests: a base URL, with an address, weight and priority.
///
/// ```swift
/// let replicas: [ServiceEndpoint] = ["https://a.example.com/v1", "https://b.example.com/v1"]
/// ```
public struct ServiceEndpoint: Hashable, Sendable {
    /// The base URL, whose path is prepended to that of each request.
    public var url: HTTP.URL
    /// The address to connect to, if the name in the URL has several; `nil`, the default, resolves the name. Only some
    /// transports can connect to an address: see `HTTP.ConnectAddress`.
    public var address: HTTP.ConnectAddress?
    /// The endpoint's share of requests relative to the other endpoints, more than 0. Defaults to 1.
    public var weight: Double
    /// The endpoint's group, from 0. A group gets requests when those with smaller numbers have too few available
    /// endpoints. Use 0, the default, for the client's own zone and 1 for others.
    public var priority: Int

    /// Creates an endpoint.
    /// - Parameters:
    ///   - url: A complete http or https URL, whose path is prepended to that of each request.
    ///   - address: The address to connect to. Defaults to `nil`, which resolves the name in the URL.
    ///   - weight: The share of requests relative to the other endpoints, more than 0. Defaults to 1.
    ///   - priority: The group, from 0. Defaults to 0.
    public init(
        _ url: HTTP.URL,
        address: HTTP.ConnectAddress? = nil,
        weight: Double = 1,
        priority: Int = 0
    ) {
        self.url = url
        self.address = address
        self.weight = weight
        self.priority = priority
    }

    /// Throws if a value is invalid.
    public func validate() throws {
        try url.validate()
        try address?.validate()
        let check = SettingCheck(of: "ServiceEndpoint \(self)")
        try check.within(0.001...1_000_000, "weight", weight)
        try check.notNegative("priority", priority)
    }
}

extension ServiceEndpoint: ExpressibleByStringLiteral {
    /// Creates an endpoint from a base URL. A balancer refuses an invalid one.
    public init(stringLiteral value: String) { self.init(HTTP.URL(stringLiteral: value)) }
}

extension ServiceEndpoint: CustomStringConvertible {
    /// The base URL without secrets, and the address if there is one.
    public var description: String { address.map { "\(url) at \($0)" } ?? "\(url)" }
}
