import Synchronization

/// An input on its way through stages that report, with the stages that it has entered.
///
/// One frame serves several stages, which saves a frame and a call for each stage. The frame and a stage's index
/// identify an activity, and the call within an activity is made only on demand. A frame enters each stage once;
/// another pass through that stage, such as another attempt, has a separate frame. The entered stages therefore form a
/// single path down the chain, and each activity is part of the one above it.
@safe
final class ObservedFrame<Input: Interceptable>: Frame<Input>, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: points into immutable stages that `owner` keeps alive.
    // Safety: the stages are contiguous in one allocation, which `owner` keeps alive. A frame only moves down, so each
    // index counted from `first` is one of them.
    private let first: UnsafePointer<Stage<Input>>
    private let identifier: UInt64
    // One bit for each stage, counted from the first.
    private let entered = Atomic<UInt64>(1)

    /// Makes the frame of the stage above `next`, and marks that stage as entered.
    init(
        _ input: consuming Input,
        call: Call,
        owner: any AnyObject & Sendable,
        next: UnsafePointer<Stage<Input>>
    ) {
        unsafe first = next - 1
        identifier = call.runtime.identifier()
        super.init(input, call: call, owner: owner, isObserved: true)
    }

    /// The index of the stage above `next`, from 0.
    func index(above next: UnsafePointer<Stage<Input>>) -> Int { unsafe next - 1 - first }

    /// Enters the stage at an index.
    /// - Returns: Whether the stage was entered: `false` if this frame entered it before, or if it is too far down.
    func enter(_ index: Int) -> Bool {
        guard 0..<UInt64.bitWidth ~= index else { return false }
        let bit: UInt64 = 1 << UInt64(index)
        return entered.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0
    }

    func activity(at index: Int, _ descriptor: ActivityDescriptor) -> Event.Activity {
        let outer = innermost(before: index).map { id(at: $0) }
        return Event.Activity(
            id: id(at: index),
            parent: outer ?? call.activityContext?.activity.id,
            descriptor: descriptor
        )
    }

    /// Whether the stage around an index makes attempts; `nil` if that stage was entered before this frame was made.
    func makesAttempts(around index: Int) -> Bool? {
        innermost(before: index).flatMap { descriptor(at: $0)?.makesAttempts }
    }

    /// The call within the innermost stage that was entered before an index.
    func call(before index: Int) -> Call {
        guard let index = innermost(before: index), let descriptor = descriptor(at: index) else {
            return call
        }
        var call = call
        call.activityContext = ActivityContext(
            activity: activity(at: index, descriptor),
            attempt: call.attempt
        )
        return call
    }

    private func innermost(before index: Int) -> Int? {
        // A shift by 64 or more gives 0, and so the mask has every bit.
        let outer = entered.load(ordering: .relaxed) & ((1 << UInt64(index)) &- 1)
        return outer == 0 ? nil : UInt64.bitWidth - 1 - outer.leadingZeroBitCount
    }

    private func descriptor(at index: Int) -> ActivityDescriptor? {
        unsafe (first + index).pointee.activity
    }

    // The first id is drawn once for each frame. The ids derived from it are as unlikely to collide as 64 random bits.
    private func id(at index: Int) -> Event.Activity.ID {
        guard index > 0 else { return Event.Activity.ID(number: identifier) }
        let number = identifier &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15
        return Event.Activity.ID(number: SplitMix64.mix(number))
    }
}

extension InterceptorChain {
    /// The frame with which the stage above this chain was entered.
    var observed: ObservedFrame<Input>? {
        guard frame.isObserved else { return nil }
        return unsafe unsafeDowncast(frame, to: ObservedFrame<Input>.self)
    }

    /// The call as the stage above this chain sees it.
    @usableFromInline
    var observedCall: Call {
        guard let frame = observed else { return frame.call }
        return unsafe frame.call(before: frame.index(above: next) + 1)
    }
}
