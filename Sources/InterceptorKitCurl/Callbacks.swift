import CInterceptorKitCurl

/// The functions that libcurl calls, on the loop's thread only.
///
/// Bytes are libcurl's and are copied.
//
// Safety: each is given the transfer unretained. The loop holds a transfer from before its handle is
// added until after it is removed, and libcurl calls for no other. A buffer has the `size * count`
// bytes that libcurl says, until the function returns.
@safe
struct Callbacks {
    let body: ikcurl_receive = { bytes, size, count, context in
        guard let transfer = unsafe Transfer.unretained(context) else { return 0 }
        let total = size * count
        let taken = unsafe transfer.wire.receive(
            UnsafeRawBufferPointer(start: bytes, count: total),
            limit: transfer.loop.configuration.bufferLimit
        )
        transfer.loop.touch(transfer)
        return taken ? total : IKCURL_PAUSE
    }

    let head: ikcurl_receive = { bytes, size, count, context in
        guard let transfer = unsafe Transfer.unretained(context) else { return 0 }
        let total = size * count
        let goesOn = unsafe transfer.wire.receive(
            headLine: UnsafeRawBufferPointer(start: bytes, count: total)
        )
        if transfer.wire.hasHead { transfer.wire.noteVersion(in: transfer.loop.keptSockets) }
        transfer.loop.touch(transfer)
        // Anything but the number of bytes ends the transfer.
        return goesOn ? total : total == 0 ? 1 : 0
    }

    let supply: ikcurl_supply = { bytes, size, count, context in
        guard let transfer = unsafe Transfer.unretained(context) else { return IKCURL_ABORT }
        let supplied = unsafe transfer.wire.supply(
            UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        )
        if supplied == IKCURL_ABORT { transfer.loop.touch(transfer) }
        return supplied
    }

    let opened: ikcurl_opened = { context, number, _ in
        unsafe Transfer.unretained(context)?.wire.socketOpened(number)
        return 0
    }

    let ready: ikcurl_ready = { context, peer, own, peerPort, ownPort in
        guard let transfer = unsafe Transfer.unretained(context) else {
            return Int32(IKCURL_DO_NOT_START)
        }
        let connection = KeptSockets.Connection(
            peer: unsafe peer.map { unsafe String(cString: $0) } ?? "",
            own: unsafe own.map { unsafe String(cString: $0) } ?? "",
            peerPort: peerPort,
            ownPort: ownPort
        )
        let starts = transfer.wire.mayStart(on: connection, among: transfer.loop.keptSockets)
        return Int32(starts ? IKCURL_START : IKCURL_DO_NOT_START)
    }
}

extension Transfer {
    /// What callbacks are given: a reference that holds nothing.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    fileprivate static func unretained(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }
}
