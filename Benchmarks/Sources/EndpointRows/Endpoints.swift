import InterceptorKit
import InterceptorKitLoadBalancing

/// The endpoints of a service that isn't there.
struct Endpoints: Sendable {
    let origins: [HTTP.Origin]

    init(count: Int) {
        origins = (0..<count).map { HTTP.Origin("http://e\($0).example") }
    }

    func pipeline(
        _ policy: some LoadBalancingPolicy,
        _ transport: some Transport<HTTP.Request>,
        _ runtime: Runtime = .live
    ) throws -> Pipeline<HTTP.Request> {
        let endpoints = origins.map { ServiceEndpoint(HTTP.URL(unvalidated: "\($0)")) }
        return try Pipeline(
            [LoadBalancingInterceptor(LoadBalancer(endpoints, policy: policy))],
            transport: transport,
            runtime: runtime
        )
    }
}
