public import InterceptorKit

/// Sends each attempt to one of several endpoints that serve the same requests.
///
/// ```swift
/// let api = try HTTP.Client(transport: CurlTransport()) {
///     RetryInterceptor(policy: .standard)
///     LoadBalancingInterceptor(["https://a.example.com/v1", "https://b.example.com/v1"])
///     TokenInterceptor(
///         source: tokens,
///         origins: ["https://a.example.com", "https://b.example.com"]
///     )
/// }
/// let order = try await api.send(.get("/orders/7"))
/// ```
///
/// A request with a relative URL gets the endpoint's base URL in front, path included. One with a complete URL
/// of an endpoint's origin, as after a redirect, goes there; one for any other origin passes unchanged.
///
/// Put it **inside** retry and hedge, so that another attempt goes to another endpoint, and **outside** token
/// and signature, because the host is signed. Circuit breakers and limits inside it have a state for each
/// endpoint. Building a pipeline fails if a credential in it isn't meant for the origins of all endpoints.
///
/// An attempt that such a breaker or limit refuses goes to another endpoint at once.
///
/// An attempt counts until the head of its response. What it says about the endpoint's health is the matter
/// of the classifier.
public struct LoadBalancingInterceptor: Interceptor {
    /// The endpoints, with their load and health.
    public let balancer: LoadBalancer

    private let service: HTTP.Origin?
    private let classifier: OutcomeClassifier<HTTP.Request>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - balancer: The endpoints, with their load and health.
    ///   - service: An origin that stands for the whole service: requests for it are treated like relative
    ///     ones. Caches need it, because a response is stored under a complete URL. Defaults to none.
    ///   - classifier: Says what an outcome means for an endpoint's health: `transient` is a failure,
    ///     `throttled` asks for fewer requests, and local rejections don't count. Defaults to
    ///     `OutcomeClassifier.health`.
    public init(
        _ balancer: LoadBalancer,
        for service: HTTP.Origin? = nil,
        classifier: OutcomeClassifier<HTTP.Request> = .health
    ) {
        self.balancer = balancer
        self.service = service
        self.classifier = classifier
    }

    /// Creates an interceptor with endpoints that don't change, and the standard rules.
    /// - Parameter endpoints: The endpoints.
    public init(_ endpoints: [ServiceEndpoint]) { self.init(LoadBalancer(endpoints)) }

    public var placement: Placement? { .loadBalancing }

    public func validate() throws {
        if let problem = balancer.problem { throw problem }
        try service?.validate()
    }

    public func validate(among interceptors: [any Interceptor<HTTP.Request>]) throws {
        for interceptor in interceptors {
            guard let scope = (interceptor as? any CredentialScope)?.credentialOrigins else {
                continue
            }
            let missing = balancer.origins.filter { !scope.contains($0) }
            guard missing.isEmpty else {
                throw LoadBalancingError.credential(
                    "\(type(of: interceptor))",
                    missing: missing
                )
            }
        }
    }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let url = chain.input.url
        guard let target = target(of: url) else { return try await chain.proceed() }
        let call = chain.call
        var refused: [UInt32] = []
        var choice = try balancer.choose(for: chain.input, call, at: target.origin)
        while true {
            do {
                return try await send(chain, target.path, choice, call)
            } catch let refusal as Refusal {
                // What refused it is no matter of the caller's while another endpoint takes it.
                refused.append(choice.member.number)
                let another = try? balancer.choose(
                    for: chain.input,
                    call,
                    at: target.origin,
                    without: refused
                )
                guard let another else { throw refusal.error }
                choice = another
            }
        }
    }

    /// An attempt that a limit or a breaker below refused, so that nothing was sent.
    private struct Refusal: Error {
        let error: any Error
    }

    private nonisolated(nonsending) func send(
        _ chain: InterceptorChain<HTTP.Request>,
        _ path: HTTP.URL?,
        _ choice: LoadBalancer.Choice,
        _ call: Call
    ) async throws -> HTTP.Response {
        let member = choice.member
        var request = chain.input
        if let path {
            do {
                request.url = try path.completed(by: member.url)
            } catch {
                end(choice, .unsent, call)
                throw error
            }
        }
        call.emit(
            .endpointChosen,
            from: "LoadBalancingInterceptor",
            ["endpoint": .text("\(member.endpoint)")]
        )
        let response: HTTP.Response
        do {
            response = try await chain.proceed(request, call: call.directed(to: member))
        } catch {
            let ending = await ending(of: error, request, call)
            end(choice, ending, call)
            if case .refused = ending { throw Refusal(error: error) }
            throw error
        }
        if classifier.recognises(response, of: call) {
            end(choice, .answered, call)
        } else {
            end(choice, await ending(of: response, request, call), call)
        }
        return response
    }

    /// Where a URL leads: to any endpoint, to those of an origin, or elsewhere (`nil`).
    private func target(of url: HTTP.URL) -> (path: HTTP.URL?, origin: HTTP.Origin?)? {
        guard !url.isRelative else { return (url, nil) }
        guard let origin = url.origin else { return nil }
        if origin == service { return (url.withoutOrigin, nil) }
        return balancer.hasEndpoint(at: origin) ? (nil, origin) : nil
    }

    // Functions of their own: nearly every response is recognised before these are asked.

    private nonisolated(nonsending) func ending(
        of response: HTTP.Response,
        _ request: HTTP.Request,
        _ call: Call
    ) async -> Member.Ending {
        let outcome = Outcome(input: request, result: .success(response), call: call)
        return await classifier.classify(outcome).ending ?? .answered
    }

    private nonisolated(nonsending) func ending(
        of error: any Error,
        _ request: HTTP.Request,
        _ call: Call
    ) async -> Member.Ending {
        if Task.isCancelled { return .abandoned }
        let outcome = Outcome(input: request, result: .failure(error), call: call)
        return await classifier.classify(outcome).ending ?? .unsent
    }

    private func end(_ choice: LoadBalancer.Choice, _ ending: Member.Ending, _ call: Call) {
        guard let change = balancer.end(choice, ending, call) else { return }
        call.emit(
            change.eventName,
            from: "LoadBalancingInterceptor",
            change.attributes(of: choice.member.endpoint)
        )
    }
}

extension Placement {
    /// Chooses the endpoint of each attempt.
    public static let loadBalancing = Placement(
        "load balancing",
        inside: [.retry, .hedge],
        outside: [.token, .circuitBreaker]
    )
    .consequence(
        outside: [.retry, .hedge],
        "all attempts of a call would go to one endpoint"
    )
    .consequence(
        inside: [.token],
        "the credential would be chosen before the origin is known"
    )
}

extension Call {
    /// This call with what transports and interceptors below need to know of an endpoint.
    fileprivate func directed(to member: Member) -> Call {
        guard let address = member.address else { return self }
        var call = self
        call.connectAddress = address
        // The name is the same for all addresses behind it.
        call.authority = "\(member.url.originText ?? "") at \(address)"
        return call
    }
}

extension Classification {
    /// What an attempt says about its endpoint; `nil` if it says nothing bad.
    fileprivate var ending: Member.Ending? {
        switch kind {
        case .transient: .failed(reason: reason, retryAfter: retryAfter)
        case .throttled: .throttled(retryAfter: retryAfter)
        case .rejected where isUnsent: .refused(retryAfter: retryAfter)
        default: nil
        }
    }
}

extension HTTP.URL {
    /// The path and query alone.
    fileprivate var withoutOrigin: HTTP.URL {
        HTTP.URL(unvalidated: path + (query.map { "?\($0)" } ?? ""))
    }
}
