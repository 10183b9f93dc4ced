// What the documentation comments of the chain show.
import InterceptorKit
import InterceptorKitTransport

// snippet.interceptor
struct Doubling: Interceptor {
    func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed(chain.input * 2)
    }
}
// snippet.end

func once(_ transport: some Transport<Int>) async throws -> Int {
    // snippet.once
    let output = try await InterceptorChain(input: 20, transport: transport)
        .add(interceptor: Doubling())
        .proceed()
    // snippet.end
    return output
}

func pipeline(_ transport: some Transport<Int>) async throws -> Int {
    // snippet.pipeline
    let pipeline = try Pipeline(transport: transport) {
        RetryInterceptor(policy: .standard)
        Doubling()
    }
    let output = try await pipeline.run(20)
    // snippet.end
    return output
}

struct Receipt: Sendable {}

// snippet.input
struct Job: Interceptable {
    typealias Output = Receipt
    var name: String
}
// snippet.end

func stamped(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.closure
        AnyInterceptor("stamp") { chain in
            try await chain.proceed { $0.headers["X-Client"] = "tool" }
        }
        // snippet.end
    }
}

func hooked(_ transport: some Transport<HTTP.Request>) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.hooks
        HookInterceptor<HTTP.Request>(
            "client name",
            before: { request, _ in request.headers["X-Client"] = "tool" },
            after: { response, request, _ in print(request.url.path, response.status) }
        )
        // snippet.end
    }
}

func retries() -> [any Interceptor<HTTP.Request>] {
    [
        // snippet.retries
        RetryInterceptor(),
        RetryInterceptor(maxAttempts: 5),
        RetryInterceptor(alsoWhen: { $0.response?.status == .conflict }),
        // snippet.end
    ]
}

struct Order: Decodable { var id: Int }

func order(_ api: HTTP.Client, cached: Order) async throws -> Order {
    // snippet.codes
    do {
        return try await api.send(.get("/orders/7")).decode(Order.self)
    } catch TransportError.Code.timedOut {
        return cached
    } catch let error as any CodedError where error.isRetryable {
        print(error.attempts)
        throw error
    }
    // snippet.end
}

func partner(
    _ transport: some Transport<HTTP.Request>,
    _ partner: some CredentialSource,
    _ secret: String
) throws -> HTTP.Client {
    try HTTP.Client(transport: transport) {
        // snippet.group
        CompositeInterceptor(
            "partner",
            when: { request, _ in request.url.host == "partner.example" }
        ) {
            TokenInterceptor(source: partner, origins: ["https://partner.example"])
            SignInterceptor(.hmacSHA256(keyID: "p-1", secret: secret))
        }
        // snippet.end
    }
}

// snippet.key
enum Tenant: CallKey {
    static let defaultValue: String? = nil
}
// snippet.end

func ofTenant(_ api: HTTP.Client) async throws -> HTTP.Response {
    // snippet.value
    let orders = try await api.send(.get("/orders")) { call in
        call[Tenant.self] = "acme"
    }
    // snippet.end
    return orders
}

struct TenantInterceptor: Interceptor {
    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        // snippet.below
        var call = chain.call
        call[Tenant.self] = "acme"
        return try await chain.proceed(chain.input, call: call)
        // snippet.end
    }
}

actor Budget {
    func spend() throws {}
}

// snippet.authorities
struct BudgetInterceptor<Input: Interceptable>: Interceptor {
    private let budgets = PerAuthority { _ in Budget() }

    func intercept(chain: InterceptorChain<Input>) async throws -> Input.Output {
        let budget = budgets[chain.authority]
        try await budget.spend()
        return try await chain.proceed()
    }
}
// snippet.end

// snippet.generic
func retried<I: Interceptable>(_ transport: some Transport<I>) throws -> Pipeline<I> {
    try Pipeline(transport: transport) { RetryInterceptor<I>() }
}
// snippet.end

struct Sampling: Interceptor {
    var window: Int
    var rate: Double

    // snippet.settings
    func validate() throws {
        let check = SettingCheck(of: "Sampling")
        try check.positive("window", window)
        try check.share("rate", rate)
    }
    // snippet.end

    func intercept(chain: InterceptorChain<Job>) async throws -> Receipt {
        try await chain.proceed()
    }
}

func refuse(_ interval: Int) throws {
    // snippet.refusal
    throw SettingError(
        "Sampling.interval",
        is: "\(interval)",
        mustBe: "a power of two",
        "Use 1 to keep every call."
    )
    // snippet.end
}

actor Journal {
    private var events: [Event] = []

    func append(_ event: Event) throws { events.append(event) }
}

func observed(
    _ transport: some Transport<HTTP.Request>,
    _ journal: Journal
) throws -> HTTP.Client {
    // snippet.observer
    let api = try HTTP.Client(
        transport: transport,
        events: EventObserver { event in try await journal.append(event) }
    ) {
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}

func streamed(_ transport: some Transport<HTTP.Request>) async throws {
    // snippet.stream
    let publisher = EventPublisher()
    let api = try HTTP.Client(transport: transport, events: publisher) {
        RetryInterceptor(policy: .standard)
    }
    let reader = Task {
        for await event in publisher.subscribe() { print(event.name, event.attributes) }
    }
    // snippet.end
    _ = try await api.send(.get("https://api.example.com/orders/7"))
    reader.cancel()
}

func guarded() throws -> HTTP.Client {
    // snippet.breaker
    let breaker = CircuitBreaker()
    let api = try HTTP.Client(transport: URLSessionTransport()) {
        RetryInterceptor(policy: .standard)
        CircuitBreakerInterceptor(breaker)
    }
    try breaker.isolate("https://api.example.com")  // nothing is sent there…
    try breaker.reset("https://api.example.com")  // …until now
    // snippet.end
    return api
}

func standard() throws -> HTTP.Client {
    // snippet.standard
    var settings = StandardSettings<HTTP.Request>()
    settings.attemptTimeout = .seconds(2)
    settings.rateLimit = RateLimitPolicy(calls: 100)
    let api = try HTTP.Client.standard(settings, transport: URLSessionTransport())
    // snippet.end
    return api
}

// snippet.replacement
struct OrderFailed: ReplacementError {
    var replacedError: (any Error)?
}
// snippet.end
