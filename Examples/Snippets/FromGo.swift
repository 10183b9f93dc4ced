// What the guide FromGo shows.
import InterceptorKit
import InterceptorKitCurl

struct Order: Decodable, Sendable {
    var id: Int
}

// snippet.tripper
struct TenantInterceptor: Interceptor {
    let tenant: String

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let began = chain.call.runtime.now
        let response = try await chain.proceed { $0.headers["X-Tenant"] = tenant }
        print(response.status, began.duration(to: chain.call.runtime.now))
        return response
    }
}
// snippet.end

func client() throws -> HTTP.Client {
    // snippet.client
    let api = try HTTP.Client(transport: CurlTransport(), timeout: .seconds(10)) {
        BaseURLInterceptor("https://api.example.com/v1")
        ErrorFilterInterceptor()
        RedirectInterceptor()
        RetryInterceptor(policy: .standard)
        TenantInterceptor(tenant: "acme")
        RateLimitInterceptor(policy: RateLimitPolicy(calls: 100, burst: 20))
        BodyTimeoutInterceptor(total: .seconds(30))
    }
    // snippet.end
    return api
}

func errors(_ api: HTTP.Client) async throws -> Order? {
    // snippet.errors
    do {
        return try await api.send(.get("/orders/7"), timeout: .seconds(2)).decode(Order.self)
    } catch ResponseError.Code.status {
        return nil  // a status that means failure
    } catch let error as TimeoutError {
        print(error.attempts)  // errors.Is(err, context.DeadlineExceeded)
        throw error
    } catch let error as TransportError {
        print(error.code, error.isUnsent)  // errors.As(err, &netError)
        throw error
    }
    // snippet.end
}

func traced() throws -> HTTP.Client {
    // snippet.trace
    let api = try HTTP.Client(
        transport: CurlTransport(),
        events: EventObserver { event in
            if event.name == .sendTimed { print(event.call, event.attributes) }
        }
    ) {
        RetryInterceptor(policy: .standard)
    }
    // snippet.end
    return api
}
