import Synchronization

/// An object that is made when it is first needed, by whoever needs it first.
///
/// `AtomicLazyReference` of the standard library (6.3) takes ten times as long to load, since it is not specialized.
struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    // Safety: the bits are 0, or the address of an object that this value retains from the store to its own end.
    private let bits = Atomic<UInt>(0)

    @inline(__always)
    var object: Object? {
        guard let memory = unsafe UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring))
        else {
            return nil
        }
        return unsafe Unmanaged<Object>.fromOpaque(memory).takeUnretainedValue()
    }

    /// Keeps an object unless there is one, and returns the one that is kept.
    @inline(__always)
    func keep(_ object: Object) -> Object {
        let mine = unsafe Unmanaged.passRetained(object)
        let address = unsafe UInt(bitPattern: mine.toOpaque())
        let (isKept, other) = bits.compareExchange(
            expected: 0,
            desired: address,
            ordering: .acquiringAndReleasing
        )
        if isKept { return object }
        unsafe mine.release()
        guard let memory = unsafe UnsafeRawPointer(bitPattern: other) else { return object }
        return unsafe Unmanaged<Object>.fromOpaque(memory).takeUnretainedValue()
    }

    deinit {
        let address = bits.load(ordering: .acquiring)
        guard let memory = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        unsafe Unmanaged<Object>.fromOpaque(memory).release()
    }
}
