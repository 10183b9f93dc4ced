import CInterceptorKitCurl

/// A libcurl easy handle, with the place where libcurl writes error texts.
///
/// The task that sends configures it, then hands it to the loop. It is reused, which saves its buffers and the settings
/// that all transfers share.
@safe
final class Easy: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: only one party at a time uses it. Code that took it from the pool has it
    // alone until the loop is told to start; from then on the holder of the driver does, until it is back.
    // Safety: the handle and the place for the error's text are made in `init` and freed in `deinit`, the handle first,
    // since libcurl writes to that place. Memory that is set by address is kept by the `TransferIO` or the
    // configuration, longer than libcurl reads it.
    private let handle: OpaquePointer
    private let errorText: UnsafeMutablePointer<CChar>

    /// Whether the settings that all transfers of its loop share are applied.
    private(set) var isConfigured = false
    /// Whether libcurl will report when a connection is ready.
    private(set) var announcesReady = false
    private var hasAddress = false
    private var isListening = false
    /// Whether a transfer left only options that the next one sets itself.
    var isPlain = false

    init?() {
        guard let handle = unsafe ikcurl_easy_make() else { return nil }
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: IKCURL_ERROR_TEXT_SIZE)
        // The text is read if an option is refused before libcurl knows the place.
        unsafe errorText.initialize(repeating: 0, count: IKCURL_ERROR_TEXT_SIZE)
    }

    deinit {
        unsafe ikcurl_easy_free(handle)
        unsafe errorText.deallocate()
    }

    var key: UInt { UInt(bitPattern: unsafe handle) }

    var pointer: OpaquePointer { unsafe handle }

    /// Clears the options of one transfer; connections belong to the multi handle and stay.
    func reset() {
        if isPlain, isConfigured {
            // This memory is freed with the transfer.
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

    /// Sets the address to connect to, as a list that must live until the handle is reset or freed.
    func setAddress(_ list: FieldList) throws(CurlError) {
        hasAddress = true
        // Safety: the caller keeps the list.
        try unsafe set(IKCURL_OPT_CONNECT_TO, memory: list.memory)
    }

    func set(_ option: Int, _ number: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_number(handle, Int32(option), number))
    }

    func set(_ option: Int, size: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_size(handle, Int32(option), Int64(size)))
    }

    func set(_ option: Int, _ text: String) throws(CurlError) {
        // Not as an argument, which would be a copy.
        let code = unsafe text.withCString { text in
            unsafe ikcurl_easy_set_text(handle, Int32(option), text)
        }
        try check(code)
    }

    func setNull(_ option: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_text(handle, Int32(option), nil))
    }

    /// Sets memory that libcurl reads in place: it must stay until the handle is reset or freed.
    func set(_ option: Int, memory: UnsafeRawPointer) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_memory(handle, Int32(option), memory))
    }

    func set(_ option: Int, copied bytes: UnsafeRawBufferPointer) throws(CurlError) {
        try check(unsafe ikcurl_easy_set_memory(handle, Int32(option), bytes.baseAddress))
    }

    func keepErrorText() throws(CurlError) {
        unsafe errorText.pointee = 0
        try unsafe set(IKCURL_OPT_ERRORBUFFER, memory: UnsafeRawPointer(errorText))
    }

    /// Sets libcurl's callbacks, the last of the settings that all transfers share.
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

    /// Chooses whether libcurl's messages about streams are noted, which disables its other verbose output.
    func listen(_ listens: Bool) throws(CurlError) {
        guard listens != isListening else { return }
        if listens {
            unsafe ikcurl_easy_set_listener(handle, Callbacks().noted)
        } else {
            try set(IKCURL_OPT_VERBOSE, 0)
        }
        isListening = listens
    }

    /// Sets the context of callbacks, which must live until the handle is reset or freed.
    func setContext(_ context: UnsafeMutableRawPointer) {
        unsafe ikcurl_easy_set_context(handle, context)
    }

    func number(_ info: Int) -> Int { unsafe ikcurl_easy_get_number(handle, Int32(info)) }

    func size(_ info: Int) -> Int { Int(unsafe ikcurl_easy_get_size(handle, Int32(info))) }

    /// Sets the paused directions, by `IKCURL_PAUSE_…`; may call back at once.
    func pause(_ mask: Int) throws(CurlError) {
        try check(unsafe ikcurl_easy_pause(handle, Int32(mask)))
    }

    /// Returns libcurl's error of a code, with the text that it wrote for this transfer, if any.
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
