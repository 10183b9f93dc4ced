/// The phases of a ``HookInterceptor`` that run just above the transport.
struct SendingHooks<Input: Interceptable>: Interceptor {
    private let name: String
    private let willSend: HookInterceptor<Input>.Notice?
    private let didReceive: HookInterceptor<Input>.Receipt?

    /// `nil` if there is neither phase, so that hooks without them pay nothing.
    init?(
        name: String,
        willSend: HookInterceptor<Input>.Notice?,
        didReceive: HookInterceptor<Input>.Receipt?
    ) {
        if willSend == nil && didReceive == nil { return nil }
        self.name = name
        self.willSend = willSend
        self.didReceive = didReceive
    }

    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        do {
            try await willSend?(chain.input, chain.call)
        } catch {
            throw error.unlessCancelled
        }
        guard let didReceive else { return try await chain.proceed() }
        let result: Result<Input.Output, any Error>
        do {
            result = .success(try await chain.proceed())
        } catch {
            result = .failure(error)
        }
        do {
            try await didReceive(result, chain.input, chain.call)
        } catch {
            if case .failure(let cancellation as CancellationError) = result { throw cancellation }
            await result.discard(on: chain.call.runtime)
            throw error.unlessCancelled
        }
        return try result.get()
    }
}

extension SendingHooks: CustomStringConvertible {
    var description: String { "\(name) (send)" }
}
