public import InterceptorKit

/// Passes a number on.
public struct PassingInt: Interceptor {
    public init() {}

    public func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed()
    }
}

/// Passes a number on, one larger, by an edit in place.
public struct EditingInt: Interceptor {
    public init() {}

    public func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed(changing: { $0 &+= 1 })
    }
}

/// Passes a number on, one larger, by a value of its own.
public struct ReplacingInt: Interceptor {
    public init() {}

    public func intercept(chain: InterceptorChain<Int>) async throws -> Int {
        try await chain.proceed(chain.input &+ 1)
    }
}

/// Answers with the number it is sent.
public struct IntTransport: Transport {
    public init() {}

    public func send(_ input: Int, call: Call) async throws -> Int { input }
}
