import CInterceptorKitCurl

/// A libcurl easy handle, with the place where libcurl writes what went wrong.
///
/// Configured by the task that sends, then handed to the loop; used again, which spares its buffers and
/// what all transfers have in common.
@safe
final class Easy: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: one at a time uses it. Code that took it from the pool has it
    // alone until the loop is told to start; from then on who has the driver does, until it is back.
    // Safety: the handle and the place for the error's text are made in `init` and freed in
    // `deinit`, the handle first, since libcurl writes to that place. What is set by address is
    // kept by the `TransferIO` or the configuration, longer than libcurl reads it.
    private let handle: OpaquePointer
    private let errorText: UnsafeMutablePointer<CChar>

    /// Whether it has what all transfers of its loop have in common.
    private(set) var isConfigured = false
    /// Whether libcurl will say when a connection is ready.
    private(set) var announcesReady = false
    private var hasAddress = false
    private var isListening = false
    /// Whether a transfer left nothing that the next one does not set itself.
    var isPlain = false

    init?() {
        guard let handle = unsafe ikcurl_easy_make() else { return nil }
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: IKCURL_ERROR_TEXT_SIZE)
        // Read where an option is refused before libcurl has the place.
        unsafe errorText.initialize(repeating: 0, count: IKCURL_ERROR_TEXT_SIZE)
    }

    deinit {
        unsafe ikcurl_easy_free(handle)
        unsafe errorText.deallocate()
    }

    /// Tells handles apart.
    var key: UInt { UInt(bitPattern: unsafe handle) }

    /// The handle for libcurl's multi interface.
    var pointer: OpaquePointer { unsafe handle }

    /// Forgets what was set for one transfer; connections are the multi handle's and stay.
    func reset() {
        if isPlain, isConfigured {
            // Gone with the transfer.
            unsafe _ = ikcurl_easy_set_memory(handle, Int32(IKCURL_OPT_HTTPHEADER), nil)
            if hasAddress {
                unsafe _ = ikcurl_easy_set_memory(handle, Int32(IKCURL_OPT_CONNECT_TO), nil)
            }
            unsafe ikcurl_easy_set_context(handle, nil)
            unsafe errorText.pointee = 0
        } else {
            unsafe ikcurl_easy_reset(handle)
            isConfigured = false
            isListening = false
        }
        hasAddress = false
        isPlain = false
    }

    /// Sets the address to connect to, in libcurl's list of them, which must stay until the handle is reset
    /// or freed.
    func setAddress(_ list: FieldList) throws(CurlError) {
        hasAddress = true
        // Safety: who calls keeps the list.
        try unsafe set(IKCURL_OPT_CONNECT_TO, memory: list.memory)
    }

    func set(_ option: Int, _ number: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_number(handle, Int32(option), number))
    }

    func set(_ option: Int, size: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_size(handle, Int32(option), Int64(size)))
    }

    func set(_ option: Int, _ text: String) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_text(handle, Int32(option), text))
    }

    func setNothing(_ option: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_text(handle, Int32(option), nil))
    }

    /// Sets memory that libcurl reads in place: it must stay until the handle is reset or freed.
    func set(_ option: Int, memory: UnsafeRawPointer) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_memory(handle, Int32(option), memory))
    }

    /// Sets bytes that libcurl copies.
    func set(_ option: Int, copied bytes: UnsafeRawBufferPointer) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_memory(handle, Int32(option), bytes.baseAddress))
    }

    func keepErrorText() throws(CurlError) {
        unsafe errorText.pointee = 0
        try unsafe set(IKCURL_OPT_ERRORBUFFER, memory: UnsafeRawPointer(errorText))
    }

    /// Sets the callbacks of libcurl, the last of what all transfers have in common.
    func setCallbacks(_ callbacks: Callbacks) {
        announcesReady =
            unsafe ikcurl_easy_set_callbacks(
                handle,
                callbacks.body,
                callbacks.head,
                callbacks.supply,
                callbacks.opened,
                callbacks.ready
            ) == 0
        isConfigured = true
    }

    /// Says whether libcurl's words about streams are noted, which costs it the rest of its words.
    func listen(_ listens: Bool) throws(CurlError) {
        guard listens != isListening else { return }
        if listens {
            unsafe ikcurl_easy_set_listener(handle, Callbacks().noted)
        } else {
            try set(IKCURL_OPT_VERBOSE, 0)
        }
        isListening = listens
    }

    /// Sets what callbacks are given, which must live until the handle is reset or freed.
    func setContext(_ context: UnsafeMutableRawPointer) {
        unsafe ikcurl_easy_set_context(handle, context)
    }

    func number(_ info: Int) -> Int { unsafe ikcurl_easy_get_number(handle, Int32(info)) }

    func size(_ info: Int) -> Int { Int(unsafe ikcurl_easy_get_size(handle, Int32(info))) }

    /// Says in which directions libcurl holds still, by `IKCURL_PAUSE_…`; may call back at once.
    func pause(_ mask: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_pause(handle, Int32(mask)))
    }

    /// libcurl's error of that number, in the words it has written for this transfer if any.
    func error(_ code: Int32) -> CurlError {
        let own = unsafe String(cString: errorText)
        return CurlError(code: Int(code), text: own.isEmpty ? text(of: code) : own)
    }

    private func text(of code: Int32) -> String {
        unsafe String(cString: ikcurl_easy_error_text(code))
    }

    private func check(_ code: Int32) throws(CurlError) {
        if code != 0 { throw CurlError(code: Int(code), text: text(of: code)) }
    }
}
