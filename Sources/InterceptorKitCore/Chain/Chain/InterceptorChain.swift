/// The input of an interceptor, the call it belongs to, and the stages below.
///
/// A chain is an immutable value. You may call `proceed` any number of times, in sequence or in parallel; each pass is
/// independent. You may also return an output without proceeding.
///
/// An unchanged input costs one function call and no allocation to pass on; a changed input costs one allocation.
@safe
public struct InterceptorChain<Input: Interceptable>: @unchecked Sendable {
    // Two words whatever `Input` is, so unspecialised generic interceptors pass a chain in registers.
    @usableFromInline let frame: Frame<Input>
    // Invariant behind `@unchecked Sendable`: points into immutable stages that `frame` keeps alive, and never past the
    // transport's stage, which does not proceed.
    // Safety: `next` is in bounds: only stages above the transport's proceed to `next + 1`, and `skipping` skips no
    // more than the members that a condition laid out after itself.
    @usableFromInline let next: UnsafePointer<Stage<Input>>

    @inlinable
    init(frame: Frame<Input>, next: UnsafePointer<Stage<Input>>) {
        self.frame = frame
        unsafe self.next = next
    }

    /// The input, as the interceptor above passed it on.
    @inlinable public var input: Input { frame.input }

    /// The call that this pass belongs to: its id, attempt, deadline, values and runtime.
    @inlinable public var call: Call { frame.isObserved ? observedCall : frame.call }

    /// Passes the input on unchanged, and returns the output of the stages below.
    @inlinable
    @inline(__always)
    public nonisolated(nonsending) func proceed() async throws -> Input.Output {
        try await unsafe next.pointee.run(InterceptorChain(frame: frame, next: next + 1))
    }

    /// Passes a changed input on, and returns the output of the stages below.
    @inlinable
    @inline(__always)
    public nonisolated(nonsending) func proceed(
        _ input: consuming Input
    ) async throws -> Input.Output {
        let frame = Frame(input, call: self.call, owner: frame)
        return try await unsafe next.pointee.run(InterceptorChain(frame: frame, next: next + 1))
    }

    /// Passes an input on with a changed call, for example another attempt, a nearer deadline or other values.
    ///
    /// Only the stages below see the changed call.
    @inlinable
    @inline(__always)
    public nonisolated(nonsending) func proceed(
        _ input: consuming Input,
        call: consuming Call
    ) async throws -> Input.Output {
        let frame = Frame(input, call: call, owner: frame)
        return try await unsafe next.pointee.run(InterceptorChain(frame: frame, next: next + 1))
    }

    /// Changes the input in place, without a second copy, and passes it on.
    /// - Parameter change: Edits the input that the stages below see.
    @inlinable
    @inline(__always)
    public nonisolated(nonsending) func proceed(
        changing change: (inout Input) throws -> Void
    ) async throws -> Input.Output {
        var input = frame.input
        try change(&input)
        return try await proceed(consume input)
    }

    /// Returns this chain with another call, for an interceptor that passes it on within a changed or detached call.
    public func with(call: Call) -> InterceptorChain {
        unsafe InterceptorChain(frame: Frame(frame.input, call: call, owner: frame), next: next)
    }

    /// Whether all stages below keep the call's deadline.
    var keepsDeadline: Bool { unsafe next.pointee.keepsDeadline }

    /// Returns this chain with a call whose deadline is kept above, if it is not this chain's own.
    package func guarded(_ call: Call) -> InterceptorChain {
        self.call.isDeadlineLeft == call.isDeadlineLeft ? self : with(call: call)
    }

    // Skips the next `count` stages, for a group whose condition is false.
    func skipping(_ count: Int) -> InterceptorChain {
        // A separate frame, because another pass may have entered the members with this one.
        let frame = frame.isObserved ? Frame(frame.input, call: call, owner: frame) : frame
        return unsafe InterceptorChain(frame: frame, next: next + count)
    }
}
