import InterceptorKitConcurrency
import Synchronization

/// An interceptor that declares to proceed exactly once, to the same server and with the same deadline.
///
/// The rules are OkHttp's for network interceptors. Each pass checks them, and breaking one throws a
/// ``ChainError``; other interceptors are free. The check costs two allocations per pass.
public struct NetworkInterceptor<Base: Interceptor>: Interceptor {
    private let base: Base

    init(_ base: Base) { self.base = base }

    public var placement: Placement? { base.placement }

    public func validate() throws { try base.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Base.Input>
    ) async throws -> Base.Input.Output {
        let name = displayName(of: base)
        let rest = CheckedTransport(chain: chain, name: name)
        let inner = InterceptorChain(input: chain.input, call: chain.call, transport: rest)
        let output = try await base.intercept(chain: inner)
        guard rest.count == 1 else { throw ChainError.notOnce(name, rest.count) }
        return output
    }
}

extension NetworkInterceptor: CustomStringConvertible {
    public var description: String { displayName(of: base) }
}

extension Interceptor {
    /// Declares that this interceptor proceeds exactly once, to the same server and with the same deadline.
    public func asNetworkInterceptor() -> NetworkInterceptor<Self> { NetworkInterceptor(self) }
}

/// The rest of a chain, for one pass that keeps the rules.
private final class CheckedTransport<Input: Interceptable>: Transport {
    private let chain: InterceptorChain<Input>
    private let name: String
    private let sends = Lock(0)

    init(chain: InterceptorChain<Input>, name: String) {
        self.chain = chain
        self.name = name
    }

    var count: Int { sends.withLock { $0 } }

    nonisolated(nonsending) func send(_ input: Input, call: Call) async throws -> Input.Output {
        let number = sends.withLock { sends in
            sends += 1
            return sends
        }
        guard number == 1 else { throw ChainError.notOnce(name, number) }
        let before = Input.authority(of: chain.input)
        let after = Input.authority(of: input)
        guard before == after else {
            throw ChainError(
                .changedAuthority,
                "\(name) must not change the request's host or port."
            )
        }
        guard call.deadline == chain.call.deadline else {
            throw ChainError(
                .changedDeadline,
                "\(name) must not change the call's deadline; change it outside the retry."
            )
        }
        return try await chain.proceed(input, call: call)
    }
}

extension ChainError {
    fileprivate static func notOnce(_ name: String, _ count: Int) -> ChainError {
        ChainError(
            .proceedCount,
            "\(name) must call proceed exactly once, and called it \(count) times."
        )
    }
}
