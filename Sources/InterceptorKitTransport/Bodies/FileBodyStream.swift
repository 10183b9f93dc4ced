#if canImport(FoundationNetworking)
import Foundation

/// A file as the stream that the engine reads a request's body from.
///
/// It replaces the engine's own file upload, which reads ahead: when the transfer ends during a read (cancelled, timed
/// out, or answered early), that upload continues with the released transfer and ends the process
/// (EasyHandle.swift:484, with libcurl's code 43; Swift 6.3.1).
final class FileBodyStream: InputStream {
    private let file: SentFile
    private var position = 0
    private var status = Stream.Status.notOpen

    init(_ file: SentFile) {
        self.file = file
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }

    override var streamError: (any Error)? { nil }

    override var hasBytesAvailable: Bool { position < file.length }

    override func open() { status = .open }

    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        // Safety: the engine lends the buffer, of that length, for this call.
        let count = unsafe file.read(buffer, maxLength: maxLength, at: position)
        position += max(0, count)
        return count
    }
}
#endif
