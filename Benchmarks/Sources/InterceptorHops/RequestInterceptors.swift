public import InterceptorKit

/// Passes a request on.
public struct PassingRequest: Interceptor {
    public init() {}

    public func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.proceed()
    }
}

/// Passes a request on with another method, by an edit in place.
public struct EditingRequest: Interceptor {
    private let method: HTTP.Method

    public init(method: HTTP.Method) { self.method = method }

    public func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        try await chain.proceed(changing: { $0.method = method })
    }
}

/// Passes a request on with another method, by a copy handed over.
public struct ReplacingRequest: Interceptor {
    private let method: HTTP.Method

    public init(method: HTTP.Method) { self.method = method }

    public func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        var request = chain.input
        request.set(method)
        return try await chain.proceed(consume request)
    }
}

extension HTTP.Request {
    // A local that was stored to field by field cannot be consumed (swiftlang/swift#83322).
    fileprivate mutating func set(_ method: HTTP.Method) { self.method = method }
}

/// Answers 202 to requests with the method the interceptors set, 200 to others.
public struct RequestTransport: Transport {
    private let method: HTTP.Method

    public init(method: HTTP.Method) { self.method = method }

    public func send(_ request: HTTP.Request, call: Call) async throws -> HTTP.Response {
        HTTP.Response(request.method == method ? 202 : 200)
    }
}
