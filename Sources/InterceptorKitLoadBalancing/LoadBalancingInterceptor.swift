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
/// A request with a relative URL goes to the endpoint's base URL, whose path is prepended. A complete URL with an
/// endpoint's origin, as after a redirect, goes to that origin. A request for any other origin passes unchanged.
///
/// Put it **inside** retry and hedge, so that each attempt goes to another endpoint, and **outside** token and
/// signature, because the host is signed. Circuit breakers and limits inside it have separate state for each endpoint.
/// Building a pipeline fails if a credential in it is not meant for the origins of all endpoints.
///
/// An attempt that fails before anything is sent goes to another endpoint at once, whatever its method: if the
/// connection was refused, or a breaker or limit below rejected the attempt. Later failures are left to the retry.
///
/// An attempt is in flight until the head of its response. The classifier decides what its outcome means for the
/// endpoint's health.
public struct LoadBalancingInterceptor: Interceptor {
    /// The endpoints, with their load and health.
    public let balancer: LoadBalancer

    private let service: HTTP.Origin?
    private let classifier: OutcomeClassifier<HTTP.Request>

    /// Creates an interceptor.
    /// - Parameters:
    ///   - balancer: The endpoints, with their load and health.
    ///   - service: An origin that stands for the whole service: requests to it are treated like relative ones. Caches
    ///     need it, because a response is stored under a complete URL. Defaults to none.
    ///   - classifier: The meaning of an outcome for an endpoint's health: `transient` is a failure, `throttled` asks
    ///     for fewer requests, and local rejections do not count. Defaults to `OutcomeClassifier.health`.
    public init(
        _ balancer: LoadBalancer,
        for service: HTTP.Origin? = nil,
        classifier: OutcomeClassifier<HTTP.Request> = .health
    ) {
        self.balancer = balancer
        self.service = service
        self.classifier = classifier
    }

    /// Creates an interceptor with fixed endpoints and the standard rules.
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
        let given = chain.input.url
        let isRelative = given.isRelative
        // The required origin; `nil` for any.
        var origin: HTTP.Origin?
        if !isRelative {
            guard let own = given.origin else { return try await chain.proceed() }
            if own != service {
                guard balancer.hasEndpoint(at: own) else { return try await chain.proceed() }
                origin = own
            }
        }
        let call = chain.call
        let runtime = call.runtime
        var choice: LoadBalancer.Choice
        do {
            choice = try balancer.choose(for: chain.input, call, within: origin, at: runtime.now)
        } catch {
            choice = try await balancer.chooseFirst(for: chain.input, call, within: origin)
        }
        var failovers = 0
        while true {
            let url: HTTP.URL
            do {
                url = origin == nil ? try given.moved(to: choice.member.url) : given
            } catch {
                end(choice, .unsent, call, at: runtime.now)
                throw error
            }
            call.emit(
                .endpointChosen,
                ["endpoint": .text("\(choice.member.endpoint)")]
            )
            let response: HTTP.Response
            do {
                // Only a connect address needs a changed call, and copying a call allocates.
                if let address = choice.member.address {
                    var request = chain.input
                    request.url = url
                    let call = call.directed(to: choice.member, address)
                    response = try await chain.proceed(request, call: call)
                } else {
                    response = try await chain.proceed { $0.url = url }
                }
            } catch {
                let ending = await ending(with: .failure(error), chain, url)
                end(choice, ending, call, at: runtime.now)
                guard let alternative = alternative(after: ending, failovers, chain, origin) else {
                    throw error
                }
                failovers += 1
                choice = alternative
                continue
            }
            if classifier.recognises(response, of: call) {
                end(choice, .responded, call, at: runtime.now)
            } else {
                let ending = await ending(with: .success(response), chain, url)
                end(choice, ending, call, at: runtime.now)
            }
            return response
        }
    }

    // Nothing was sent, so another endpoint may get the attempt at once, whatever its method.
    private func alternative(
        after ending: Member.Ending,
        _ failovers: Int,
        _ chain: InterceptorChain<HTTP.Request>,
        _ origin: HTTP.Origin?
    ) -> LoadBalancer.Choice? {
        switch ending {
        case .refused: break
        // The transport may have started to read the body.
        case .failed(_, _, isUnsent: true) where chain.input.body.isReplayable: break
        default: return nil
        }
        guard failovers < balancer.endpoints.count else { return nil }
        return try? balancer.choose(
            for: chain.input,
            chain.call,
            within: origin,
            at: chain.call.runtime.now,
            isUntried: true
        )
    }

    // Separate because the classifier is needed for few responses.
    private nonisolated(nonsending) func ending(
        with result: Result<HTTP.Response, any Error>,
        _ chain: InterceptorChain<HTTP.Request>,
        _ url: HTTP.URL
    ) async -> Member.Ending {
        let isResponse = (try? result.get()) != nil
        if !isResponse, Task.isCancelled { return .abandoned }
        var request = chain.input
        request.url = url
        let outcome = Outcome(input: request, result: result, call: chain.call)
        return await classifier.classify(outcome).ending ?? (isResponse ? .responded : .unsent)
    }

    private func end(
        _ choice: LoadBalancer.Choice,
        _ ending: Member.Ending,
        _ call: Call,
        at now: Runtime.Instant
    ) {
        guard let change = balancer.end(choice, ending, call, at: now) else { return }
        call.emit(
            change.eventName,
            change.attributes(of: choice.member.endpoint)
        )
    }
}

extension Placement {
    /// The place of the interceptor that chooses the endpoint of each attempt.
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
    /// Returns this call with the connect address and authority of an endpoint.
    fileprivate func directed(to member: Member, _ address: HTTP.ConnectAddress) -> Call {
        var call = self
        call.connectAddress = address
        // All addresses of a name share that name, so the authority includes the address.
        call.authority = "\(member.url.originText ?? "") at \(address)"
        return call
    }
}

extension Classification {
    /// The ending that affects the endpoint's health; `nil` if there is nothing negative.
    fileprivate var ending: Member.Ending? {
        switch kind {
        case .transient: .failed(reason: reason, retryAfter: retryAfter, isUnsent: isUnsent)
        case .throttled: .throttled(retryAfter: retryAfter)
        case .rejected where isUnsent: .refused(retryAfter: retryAfter)
        default: nil
        }
    }
}
