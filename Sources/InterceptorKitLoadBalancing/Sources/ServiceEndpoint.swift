public import InterceptorKit

/// One of the places that serve the same requests: a base URL, and how it is to be used.
///
/// ```swift
/// let replicas: [ServiceEndpoint] = ["https://a.example.com/v1", "https://b.example.com/v1"]
/// ```
public struct ServiceEndpoint: Hashable, Sendable {
    /// The base URL, whose path goes in front of each request's.
    public var url: HTTP.URL
    /// The address to connect to, where several stand behind the name in the URL; `nil`, the default,
    /// resolves the name. Only some transports can connect to one: see `HTTP.ConnectAddress`.
    public var address: HTTP.ConnectAddress?
    /// Its share of the requests beside those of the other endpoints; more than 0. Defaults to 1.
    public var weight: Double
    /// Its group, from 0: a group gets requests when those with smaller numbers have too few available
    /// endpoints. Use 0, the default, for the own zone and 1 for others.
    public var priority: Int

    /// Creates an endpoint.
    /// - Parameters:
    ///   - url: A complete http or https URL; its path goes in front of each request's.
    ///   - address: The address to connect to. Defaults to `nil`, which resolves the name in the URL.
    ///   - weight: Its share beside the others', more than 0. Defaults to 1.
    ///   - priority: Its group, from 0. Defaults to 0.
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

    /// Throws if a value isn't allowed.
    public func validate() throws {
        try url.validate()
        try address?.validate()
        let check = SettingCheck(of: "ServiceEndpoint \(self)")
        try check.within(0.001...1_000_000, "weight", weight)
        try check.notNegative("priority", priority)
    }
}

extension ServiceEndpoint: ExpressibleByStringLiteral {
    /// Creates an endpoint from a base URL; using one that isn't valid is refused.
    public init(stringLiteral value: String) { self.init(HTTP.URL(stringLiteral: value)) }
}

extension ServiceEndpoint: CustomStringConvertible {
    /// The base URL without secrets, and the address if there is one.
    public var description: String { address.map { "\(url) at \($0)" } ?? "\(url)" }
}
