/// An input on its way through a pipeline, and what keeps the stages below it alive.
///
/// The owner is the stage list itself or the frame this one was made from: per-call objects, so that
/// concurrent calls never contend for one reference count.
@usableFromInline
final class Frame<Input: Interceptable>: Sendable {
    @usableFromInline let input: Input
    @usableFromInline let call: Call
    @usableFromInline let owner: any AnyObject & Sendable

    @inlinable
    init(_ input: consuming Input, call: consuming Call, owner: any AnyObject & Sendable) {
        self.input = input
        self.call = call
        self.owner = owner
    }
}
