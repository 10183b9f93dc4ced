import Synchronization

/// An input on its way through stages that report, with the stages that it has entered.
///
/// It spares a frame and a call for each stage: an activity is told by the frame and the stage's place,
/// and the call that stands in it is made for those who ask. A stage is entered with one frame once; who
/// comes again, as another attempt, is given a frame of its own. So the stages entered are always one
/// way down, and each is part of the next one above.
@safe
final class ObservedFrame<Input: Interceptable>: Frame<Input>, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: points into immutable stages that `owner` keeps alive.
    // Safety: stages stand side by side in one allocation, which `owner` keeps alive, and a frame goes down
    // only, so that each place counted from `first` is one of them.
    private let first: UnsafePointer<Stage<Input>>
    private let identifier: UInt64
    // A bit for each stage from the first.
    private let entered = Atomic<UInt64>(1)

    /// Makes the frame of the stage above `next`, which has been entered.
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

    /// The place of the stage above `next`, from 0.
    func place(above next: UnsafePointer<Stage<Input>>) -> Int { unsafe next - 1 - first }

    /// Enters the stage at a place.
    /// - Returns: Whether this frame can: not if it has been there, or is too far from it.
    func enter(_ place: Int) -> Bool {
        guard 0..<UInt64.bitWidth ~= place else { return false }
        let bit: UInt64 = 1 << UInt64(place)
        return entered.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0
    }

    /// What the stage at a place does, as an activity.
    func activity(at place: Int, _ descriptor: ActivityDescriptor) -> Event.Activity {
        let outer = innermost(before: place).map { id(at: $0) }
        return Event.Activity(
            id: id(at: place),
            parent: outer ?? call.activityContext?.activity.id,
            descriptor: descriptor
        )
    }

    /// Whether the stage around a place makes attempts; `nil` if that stage was entered before this frame
    /// was made.
    func makesAttempts(around place: Int) -> Bool? {
        innermost(before: place).flatMap { descriptor(at: $0)?.makesAttempts }
    }

    /// The call as it stands in the innermost stage that was entered before a place.
    func call(before place: Int) -> Call {
        guard let place = innermost(before: place), let descriptor = descriptor(at: place) else {
            return call
        }
        var call = call
        call.activityContext = ActivityContext(
            activity: activity(at: place, descriptor),
            attempt: call.attempt
        )
        return call
    }

    private func innermost(before place: Int) -> Int? {
        // A shift by all bits or more leaves none, and so every bit of the mask.
        let outer = entered.load(ordering: .relaxed) & ((1 << UInt64(place)) &- 1)
        return outer == 0 ? nil : UInt64.bitWidth - 1 - outer.leadingZeroBitCount
    }

    private func descriptor(at place: Int) -> ActivityDescriptor? {
        unsafe (first + place).pointee.activity
    }

    // Drawn once a frame. What follows it is as unlikely to be drawn elsewhere as 64 random bits.
    private func id(at place: Int) -> Event.Activity.ID {
        guard place > 0 else { return Event.Activity.ID(number: identifier) }
        let number = identifier &+ UInt64(place) &* 0x9E37_79B9_7F4A_7C15
        return Event.Activity.ID(number: SplitMix64.mix(number))
    }
}

extension InterceptorChain {
    /// The frame with which the stage that this chain was handed to is entered.
    var observed: ObservedFrame<Input>? {
        guard frame.isObserved else { return nil }
        return unsafe unsafeDowncast(frame, to: ObservedFrame<Input>.self)
    }

    /// The call as the stage sees it that this chain was handed to.
    @usableFromInline
    var observedCall: Call {
        guard let frame = observed else { return frame.call }
        return unsafe frame.call(before: frame.place(above: next) + 1)
    }
}
