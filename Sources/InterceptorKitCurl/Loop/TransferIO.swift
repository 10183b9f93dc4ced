import CInterceptorKitCurl
import InterceptorKit
import InterceptorKitEngine

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The loop's side of a transfer: the state that libcurl's callbacks touch.
///
/// Arrivals of one round are kept here and handed over once at the round's end, so that a small response wakes its
/// caller once and not three times.
final class TransferIO: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: made and filled by the task that sends; from the moment the loop is told
    // to start, only the holder of the driver touches it.

    let easy: Easy
    let fields: FieldList?
    /// The address to connect to in place of the URL's host.
    let address: FieldList?
    var upload: Upload?
    var onInformational: (@Sendable (HTTP.Response) -> Void)?
    var onBodySent: (@Sendable (Int) -> Void)?
    /// Called when the head has arrived.
    var onTimings: (@Sendable (HTTP.SendTimings) -> Void)?

    // The most that libcurl delivers at once, and the most that it reads at once over HTTP/1.1.
    private static let pieceSize = 16 << 10
    private static let chunkSize = 64 << 10
    // libcurl's own number of tries.
    private static let maximumRestarts = 5

    /// Whether libcurl reads over HTTP/2 until the stream ends, rather than for the stated length of the response:
    /// while it sends, it (7.88) cannot otherwise learn that the host wants no more. On a shared connection it would
    /// take the bytes of others.
    var readsToStreamEnd = false

    private(set) var arrivals = ExchangeState.Arrivals()
    // The bytes of the body among the arrivals.
    private var arrivedCount = 0
    // Not checked for overlapping accesses, which it would be for each line: it calls nothing of this object's.
    @exclusivity(unchecked) private var parser = HeadParser()
    private var expectedLength = 0
    /// The upper bound of the bytes that the reader has, as far as the loop knows.
    private var unread = 0

    /// Whether the transfer waits to be handed over.
    var isTouched = false
    /// Whether the transfer was stopped, perhaps before it was started.
    var isStopped = false
    private(set) var isReceivingPaused = false
    private(set) var isSendingPaused = false
    /// Whether libcurl reports when a connection is ready, and whether it has.
    var announcesReady = false
    private(set) var isReady = false
    /// Whether libcurl wanted to resend.
    private(set) var isRepetitionRefused = false
    private var isDisturbed = false
    private var opened: [Int32] = []
    // Kept until the head arrives, which tells the version.
    private var made: (IdleSockets.Connection, Int32)?
    private(set) var hasHead = false
    var stream = TransferStream()
    // The bytes of the body still to come, by the length that the head states.
    private var missing: Int?
    private var restarts = 0
    private(set) var sawBytes = false
    var lastActivity = Runtime.Instant(offset: .zero)
    private(set) var wasActive = false
    /// The time of the last start in libcurl.
    var begun = Runtime.Instant(offset: .zero)

    init(easy: Easy, fields: FieldList?, address: FieldList? = nil, upload: Upload?) {
        self.easy = easy
        self.fields = fields
        self.address = address
        self.upload = upload
    }

    /// Whether silence counts: something was sent and it is the server's turn.
    var isWaitingForPeer: Bool {
        (isReady || !announcesReady) && !isReceivingPaused && !isSendingPaused
    }

    /// Whether the transfer has no connection yet, as far as libcurl reports; `false` after an earlier try by libcurl.
    var isWaitingForConnection: Bool { announcesReady && !isReady && !sawBytes && !isStopped }

    func noteActivity(at now: Runtime.Instant) {
        guard wasActive else { return }
        wasActive = false
        lastActivity = now
    }

    func socketOpened(_ number: Int32) {
        opened.append(number)
        stream.leaveConnection()
    }

    /// Returns whether the request may go out over a connection that is ready.
    ///
    /// The request may go out once. libcurl asks again after a reused connection broke without a response
    /// (`Curl_retry_request`), whatever the method and however much has left, and after an HTTP/2 server refused the
    /// stream; it does not distinguish the two.
    func mayStart(
        on connection: IdleSockets.Connection,
        among kept: IdleSockets,
        _ limits: StreamLimits
    ) -> Bool {
        wasActive = true
        if isReady {
            isRepetitionRefused = true
            return false
        }
        if let number = opened.last(where: { ikcurl_socket_has_port($0, connection.ownPort) }) {
            made = (connection, number)
            limits.forget(connection)
        } else if kept.isDisturbed(connection) {
            isDisturbed = true
            return false
        }
        isReady = true
        stream.begin(on: connection)
        return true
    }

    /// Records a connection made for this request if it uses HTTP/1.1.
    func noteVersion(in kept: IdleSockets) {
        // CURL_HTTP_VERSION_1_0 and CURL_HTTP_VERSION_1_1.
        guard let (connection, number) = made.take(),
            (1...2).contains(easy.number(IKCURL_INFO_HTTP_VERSION))
        else { return }
        kept.add(number, for: connection)
    }

    /// Prepares another start where nothing was processed: the connection was disturbed and not used, or the host
    /// declared the stream unprocessed.
    /// - Returns: Whether to start the transfer again.
    func shouldRestart(isRefused: Bool) -> Bool {
        guard !isStopped, !sawBytes else { return false }
        if isDisturbed, !isReady {
            isDisturbed = false
            return prepareStart(fresh: true)
        }
        guard isRefused, restarts < Self.maximumRestarts, upload?.rewind() ?? true else {
            return false
        }
        restarts += 1
        (isReady, isRepetitionRefused, isSendingPaused) = (false, false, false)
        opened = []
        made = nil
        stream = TransferStream()
        return prepareStart(fresh: false)
    }

    private func prepareStart(fresh: Bool) -> Bool {
        do throws(CurlError) {
            try easy.keepErrorText()
            guard fresh else { return true }
            easy.isPlain = false
            try easy.set(IKCURL_OPT_FRESH_CONNECT, 1)
            return true
        } catch {
            return false
        }
    }

    /// Whether the response is whole although libcurl continues with the rest of the request or a second one: the host
    /// may end a stream after its response (RFC 9113 section 8.1), and after a 417 libcurl resends without the
    /// expectation.
    var hasWholeResponse: Bool { hasHead && (missing == 0 || isRepetitionRefused) }

    /// Whether the response on an HTTP/2 stream is whole while libcurl continues with the request. With nothing left to
    /// receive, it (7.88) reads nothing for a transfer that waits for room to send, so it learns neither of room nor of
    /// the stream's end.
    var isAnsweredOnStream: Bool {
        // CURL_HTTP_VERSION_2_0.
        hasHead && missing == 0 && !isStopped && easy.number(IKCURL_INFO_HTTP_VERSION) == 3
    }

    /// Takes one line of a head or of the trailers.
    /// - Returns: Whether to continue.
    func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
        wasActive = true
        sawBytes = true
        if readsToStreamEnd, unsafe line.starts(with: "HTTP/".utf8) {
            let isStream = unsafe line.dropFirst(5).first == UInt8(ascii: "2")
            try? easy.set(IKCURL_OPT_IGNORE_CONTENT_LENGTH, isStream ? 1 : 0)
        }
        // Safety: libcurl lends the line for this call, and the parser copies what it keeps.
        switch unsafe parser.take(line) {
        case .more:
            return true
        case .interim(let head):
            onInformational?(HTTP.Response(head.status, headers: head.headers))
            return true
        case .final(let head):
            arrivals.head = head
            hasHead = true
            onTimings?(HTTP.SendTimings(easy))
            expectedLength = head.length ?? 0
            missing = head.isBodiless(method: .get) ? 0 : head.length
            return true
        case .tooLarge:
            arrivals.failure = .engine(CurlFailure.headTooLarge)
            return false
        case .malformed:
            arrivals.failure = .engine(CurlFailure.malformedHead)
            return false
        }
    }

    /// Takes bytes of the body, all of them or none.
    /// - Parameter limit: The bytes that may wait for the reader.
    /// - Returns: Whether they were taken; if not, libcurl keeps them and pauses.
    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        // Nobody reads the body any more.
        if isStopped { return true }
        wasActive = true
        let waiting = unread + arrivedCount
        guard waiting == 0 || waiting + bytes.count <= limit else {
            isReceivingPaused = true
            arrivals.isPaused = true
            return false
        }
        guard bytes.count > 0 else { return true }
        let last = arrivals.chunks.count - 1
        // Safety, of both: the bytes are copied in the call they are lent for.
        if last >= 0, arrivals.chunks[last].count + bytes.count <= Self.chunkSize {
            unsafe arrivals.chunks[last].append(contentsOf: bytes)
        } else {
            arrivals.chunks.append(unsafe chunk(beginningWith: bytes))
        }
        arrivedCount += bytes.count
        missing = missing.map { $0 - bytes.count }
        expectedLength = max(0, expectedLength - bytes.count)
        return true
    }

    private func chunk(beginningWith bytes: UnsafeRawBufferPointer) -> Data {
        guard bytes.count == Self.pieceSize else {
            return unsafe bytes.baseAddress.map { unsafe Data(bytes: $0, count: bytes.count) }
                ?? Data()
        }
        // More usually follows a full piece in a round. No chunk grows beyond its reserved capacity, as that would copy
        // it.
        var chunk = Data()
        chunk.reserveCapacity(min(max(expectedLength, bytes.count), Self.chunkSize))
        unsafe chunk.append(contentsOf: bytes)
        return chunk
    }

    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        wasActive = true
        // Safety: a supply writes at most the buffer's count and keeps no address.
        switch unsafe upload?.supply(buffer) ?? .end {
        case .bytes(let count):
            if let upload { onBodySent?(upload.sent) }
            return count
        case .end:
            return 0
        case .later:
            isSendingPaused = true
            return IKCURL_PAUSE
        case .failed(let failure):
            arrivals.failure = .engine(failure)
            return IKCURL_ABORT
        }
    }

    /// Resumes receiving after the reader has read half of the waiting bytes.
    func resumeReceiving(limit: Int) throws(CurlError) {
        isReceivingPaused = false
        unread = min(unread, limit / 2)
        wasActive = true
        try pause()
    }

    /// Makes libcurl release the bytes it keeps for a paused reader. Otherwise it does so only at the end of the
    /// connection's last transfer, and never if that is another one (7.88).
    func releasePausedBytes() {
        isStopped = true
        if isReceivingPaused { try? easy.pause(0) }
    }

    func resumeSending() throws(CurlError) {
        isSendingPaused = false
        wasActive = true
        try pause()
    }

    private func pause() throws(CurlError) {
        try easy.pause(
            (isReceivingPaused ? IKCURL_PAUSE_RECEIVING : 0)
                | (isSendingPaused ? IKCURL_PAUSE_SENDING : 0)
        )
    }

    func end(_ failure: CurlFailure?) {
        // Safety, of both: the parser is one of this object's values, and the loop has it alone.
        unsafe parser.finish()
        arrivals.ending = ExchangeState.Ending(
            failure.map(Failure.engine),
            trailers: unsafe parser.trailers
        )
    }

    func takeArrivals() -> ExchangeState.Arrivals {
        defer {
            arrivals = ExchangeState.Arrivals()
            arrivedCount = 0
        }
        return arrivals
    }

    func noteUnread(_ count: Int) { unread = count }
}
