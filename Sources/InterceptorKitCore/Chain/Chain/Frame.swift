/// An input on its way through a pipeline, with a reference that keeps the stages below it alive.
///
/// The owner is the stage list or the call's previous frame, so that concurrent calls rarely contend for one reference
/// count.
@usableFromInline
class Frame<Input: Interceptable>: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`, which a class with a subclass requires: all properties are constant.
    @usableFromInline final let input: Input
    @usableFromInline final let call: Call
    @usableFromInline final let owner: any AnyObject & Sendable
    // Whether the frame is an `ObservedFrame`; cheaper than a check of its type.
    @usableFromInline final let isObserved: Bool

    @inlinable
    init(
        _ input: consuming Input,
        call: consuming Call,
        owner: any AnyObject & Sendable,
        isObserved: Bool = false
    ) {
        self.input = input
        self.call = call
        self.owner = owner
        self.isObserved = isObserved
    }
}
