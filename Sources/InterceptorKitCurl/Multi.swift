import CInterceptorKitCurl

/// A libcurl multi handle: the transfers under way, their connections and the names resolved.
///
/// ``wake()`` may be called from any thread while the handle exists; all else by the loop's thread, which
/// frees it.
@safe
struct Multi: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: the loop's thread alone calls anything but `wake`, which
    // libcurl allows from any thread, and which is called under the lock that says the handle exists.
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

    func perform() { unsafe ikcurl_multi_perform(handle) }

    func wait(milliseconds: Int) {
        unsafe ikcurl_multi_wait(handle, Int32(clamping: milliseconds))
    }

    func wake() { unsafe ikcurl_multi_wake(handle) }

    /// The next transfer that is complete, and libcurl's code for how it ended.
    func nextCompleted() -> (key: UInt, code: Int32)? {
        var code: Int32 = 0
        guard let key = unsafe ikcurl_multi_completed(handle, &code) else { return nil }
        return (UInt(bitPattern: key), code)
    }
}
