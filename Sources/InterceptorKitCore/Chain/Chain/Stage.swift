/// One interceptor at its place in a pipeline.
///
/// Noncopyable, so that a call through a pointer borrows the existential and does not copy and retain it.
@usableFromInline
struct Stage<Input: Interceptable>: ~Copyable {
    @usableFromInline let interceptor: any Interceptor<Input>
    let isTransport: Bool
    /// Whether this stage and all below it keep the call's deadline.
    let keepsDeadline: Bool
    // The activity that the stage reports; `nil` if it reports none.
    let activity: ActivityDescriptor?

    init(
        _ interceptor: any Interceptor<Input>,
        isTransport: Bool = false,
        keepsDeadline: Bool
    ) {
        self.interceptor = interceptor
        self.isTransport = isTransport
        self.keepsDeadline = keepsDeadline
        activity = (interceptor as? ObservedStage<Input>)?.activity
    }

    @inlinable
    @inline(__always)
    nonisolated(nonsending) func run(_ chain: InterceptorChain<Input>) async throws -> Input.Output
    {
        try await interceptor.intercept(chain: chain)
    }
}

/// A pipeline's stages, contiguous in memory with the transport's stage last, so `proceed` needs no check for the end.
@safe
@usableFromInline
final class Stages<Input: Interceptable>: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: written once in `init`, read-only until `deinit`.
    // Safety: `init` initializes all `count` stages before anything reads `first`. Each frame that points into them
    // owns this object, so `deinit` runs after the last use.
    private let base: UnsafeMutablePointer<Stage<Input>>
    private let count: Int
    @usableFromInline let first: UnsafePointer<Stage<Input>>

    init(_ interceptors: [any Interceptor<Input>], end: any Interceptor<Input>) {
        count = interceptors.count + 1
        unsafe base = .allocate(capacity: count)
        var keepsDeadline = end.keepsDeadline
        unsafe (base + interceptors.count).initialize(
            to: Stage(end, isTransport: true, keepsDeadline: keepsDeadline)
        )
        for (offset, interceptor) in interceptors.enumerated().reversed() {
            keepsDeadline = keepsDeadline && interceptor.keepsDeadline
            unsafe (base + offset).initialize(
                to: Stage(interceptor, keepsDeadline: keepsDeadline)
            )
        }
        unsafe first = UnsafePointer(base)
    }

    var keepsDeadline: Bool { unsafe first.pointee.keepsDeadline }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }
}

/// The last stage, which passes the input to the transport.
struct TransportStage<Input: Interceptable>: Interceptor {
    let transport: any Transport<Input>

    var keepsDeadline: Bool { transport.keepsDeadline }

    // Inlined into the witness, which saves one asynchronous frame for each send.
    @inline(__always)
    nonisolated(nonsending) func intercept(
        chain: InterceptorChain<Input>
    ) async throws -> Input.Output {
        // Every send passes this point, so a cancelled call sends nothing.
        try Task.checkCancellation()
        // Read from the frame, which lends its properties; the chain's own properties return copies.
        return try await transport.send(chain.frame.input, call: chain.frame.call)
    }
}
