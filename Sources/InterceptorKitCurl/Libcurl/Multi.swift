import CInterceptorKitCurl

/// A libcurl multi handle: the transfers under way, their connections and the resolved names.
///
/// ``wake()`` may be called from any thread while the handle exists; ``wait(milliseconds:)`` and ``free()`` only on the
/// loop's thread; everything else by the holder of the driver.
@safe
struct Multi: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: calls are made under the driver's lock, except `wake`, which is called
    // under a lock that says that the handle exists, and `wait`, which touches no state of the other calls.
    // Safety: the handle exists from `init` to `free`, the last call of the loop's thread.
    private let handle: OpaquePointer

    init?() {
        guard let handle = unsafe ikcurl_multi_make() else { return nil }
        unsafe self.handle = handle
    }

    func free() { unsafe ikcurl_multi_free(handle) }

    func set(_ option: Int, _ number: Int) {
        unsafe _ = ikcurl_multi_set_number(handle, Int32(option), number)
    }

    func add(_ easy: Easy) -> Int32 { unsafe ikcurl_multi_add(handle, easy.pointer) }

    func remove(_ easy: Easy) { unsafe _ = ikcurl_multi_remove(handle, easy.pointer) }

    /// Whether other threads may start transfers while one waits.
    static var canBeShared: Bool { ikcurl_multi_can_be_shared() }

    /// Lets libcurl process the sockets that became ready in the last wait.
    func serveSockets() { unsafe ikcurl_multi_serve_sockets(handle) }

    /// Lets libcurl process what is due, such as the beginning of a transfer.
    func serveTimer() { unsafe ikcurl_multi_serve_timer(handle) }

    func millisecondsToWait(atMost limit: Int) -> Int {
        Int(unsafe ikcurl_multi_time_to_wait(handle, Int32(clamping: limit)))
    }

    /// Whether something is due before the end of a wait of this length.
    func waitsTooLong(for milliseconds: Int) -> Bool {
        unsafe ikcurl_multi_waits_too_long(handle, Int32(clamping: milliseconds))
    }

    func wait(milliseconds: Int) {
        unsafe ikcurl_multi_wait(handle, Int32(clamping: milliseconds))
    }

    func wake() { unsafe ikcurl_multi_wake(handle) }

    /// Returns the next completed transfer, with libcurl's result code.
    func nextCompleted() -> (key: UInt, code: Int32)? {
        var code: Int32 = 0
        guard let key = unsafe ikcurl_multi_completed(handle, &code) else { return nil }
        return (UInt(bitPattern: key), code)
    }
}
