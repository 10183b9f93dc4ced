public import InterceptorKit

/// An error of a ``LoadBalancer``. Nothing was sent.
public struct LoadBalancingError: CodedError, Sendable {
    /// The kind of failure.
    public struct Code: ErrorCode {
        public let description: String

        /// There is no endpoint to send to.
        public static let noEndpoints = Code(description: "noEndpoints")
        /// An endpoint is outside the balancer's origins.
        public static let foreignOrigin = Code(description: "foreignOrigin")
        /// A credential in the pipeline isn't meant for all endpoints.
        public static let credentialOrigins = Code(description: "credentialOrigins")
        /// The name in a URL could not be resolved, or has no address.
        public static let nameNotResolved = Code(description: "nameNotResolved")
    }

    public let code: Code
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension LoadBalancingError {
    static let noEndpoints = LoadBalancingError(
        .noEndpoints,
        "There is no endpoint to send to. Give the balancer endpoints to begin with, or let it follow a source "
            + "(LoadBalancer.follow)."
    )

    static func foreign(_ endpoint: ServiceEndpoint, _ origins: [HTTP.Origin]) -> LoadBalancingError
    {
        LoadBalancingError(
            .foreignOrigin,
            "The endpoint \(endpoint) is outside of the balancer's origins (\(list(origins))). Add its "
                + "origin to them if requests and their credentials may go there."
        )
    }

    static func credential(
        _ interceptor: String,
        missing: [HTTP.Origin]
    ) -> LoadBalancingError {
        LoadBalancingError(
            .credentialOrigins,
            "\(interceptor) adds a credential, and its origins lack those of endpoints: \(list(missing)). "
                + "Requests to them would be sent without it. Add them to its origins."
        )
    }

    static func notResolved(_ host: String, _ reason: String) -> LoadBalancingError {
        LoadBalancingError(
            .nameNotResolved,
            "The name \(HTTP.printable(host)) could not be resolved: \(reason). Check the name and this "
                + "machine's DNS settings."
        )
    }

    static func noAddress(of host: String) -> LoadBalancingError {
        notResolved(host, "it has no address that this machine can use")
    }

    static func noThread(toResolve host: String, _ number: Int32) -> LoadBalancingError {
        notResolved(host, "no thread could be started (error \(number))")
    }

    private static func list(_ origins: [HTTP.Origin]) -> String {
        origins.map(\.description).joined(separator: ", ")
    }
}

extension LoadBalancingError: ClassifiedError {
    /// Rejected locally.
    public var classification: Classification {
        Classification(.rejected, reason: "\(code)", isUnsent: true)
    }
}
