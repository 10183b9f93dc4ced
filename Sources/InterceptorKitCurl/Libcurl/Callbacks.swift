import CInterceptorKitCurl

/// The functions that libcurl calls, on the thread that has the driver.
///
/// The bytes belong to libcurl and are copied.
//
// Safety: each function is given the transfer unretained. The loop holds a transfer from before its handle is added
// until after it is removed, and libcurl calls for no other. A buffer has the `size * count` bytes that libcurl says,
// until the function returns.
@safe
struct Callbacks {
    let body: ikcurl_receive = { bytes, size, count, context in
        guard let operation = unsafe RequestOperation.unretained(context) else { return 0 }
        let total = size * count
        let taken = unsafe operation.io.receive(
            UnsafeRawBufferPointer(start: bytes, count: total),
            limit: operation.loop.configuration.bufferLimit
        )
        operation.loop.touch(operation)
        return taken ? total : IKCURL_PAUSE
    }

    let head: ikcurl_receive = { bytes, size, count, context in
        guard let operation = unsafe RequestOperation.unretained(context) else { return 0 }
        let total = size * count
        let continues = unsafe operation.io.receive(
            headLine: UnsafeRawBufferPointer(start: bytes, count: total)
        )
        if operation.io.hasHead { operation.io.noteVersion(in: operation.loop.idleSockets) }
        if !operation.io.isTouched { operation.loop.touch(operation) }
        // Any result but the number of bytes ends the transfer.
        return continues ? total : total == 0 ? 1 : 0
    }

    let supply: ikcurl_supply = { bytes, size, count, context in
        guard let operation = unsafe RequestOperation.unretained(context) else {
            return IKCURL_ABORT
        }
        let supplied = unsafe operation.io.supply(
            UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        )
        if supplied == IKCURL_ABORT { operation.loop.touch(operation) }
        return supplied
    }

    let opened: ikcurl_opened = { context, number, _ in
        unsafe RequestOperation.unretained(context)?.io.socketOpened(number)
        return 0
    }

    let noted: ikcurl_noted = { context, note, number in
        guard let operation = unsafe RequestOperation.unretained(context) else { return }
        operation.io.stream.take(note, number, operation.loop.streamLimits)
    }

    let ready: ikcurl_ready = { context, peer, own, peerPort, ownPort in
        guard let operation = unsafe RequestOperation.unretained(context) else {
            return Int32(IKCURL_DO_NOT_START)
        }
        let connection = IdleSockets.Connection(
            peer: unsafe peer.map { unsafe String(cString: $0) } ?? "",
            own: unsafe own.map { unsafe String(cString: $0) } ?? "",
            peerPort: peerPort,
            ownPort: ownPort
        )
        let starts = operation.io.mayStart(
            on: connection,
            among: operation.loop.idleSockets,
            operation.loop.streamLimits
        )
        return Int32(starts ? IKCURL_START : IKCURL_DO_NOT_START)
    }
}

extension RequestOperation {
    /// The context for callbacks: a reference that retains nothing.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    fileprivate static func unretained(_ context: UnsafeMutableRawPointer?) -> RequestOperation? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<RequestOperation>.fromOpaque(context).takeUnretainedValue()
    }
}
