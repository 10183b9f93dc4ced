#if canImport(FoundationNetworking)
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// An open file that is a request's body, with the length that it had when it was opened.
final class SentFile: Sendable {
    private let descriptor: Int32
    let length: Int
    private let shortened = Atomic(false)

    /// Whether the file became shorter while it was sent.
    var isCutShort: Bool { shortened.load(ordering: .relaxed) }

    /// Opens a file, off the caller's executor; `nil` if it cannot be opened.
    @concurrent
    static func open(_ path: String) async -> SentFile? { SentFile(path) }

    private init?(_ path: String) {
        descriptor = openForReading(path)
        length = descriptor < 0 ? -1 : Int(lseek(descriptor, 0, SEEK_END))
        guard length >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { _ = close(descriptor) } }

    /// Reads as many bytes as are left and fit.
    /// - Returns: The number of bytes read, 0 at the end, or -1 if the file has become too short.
    func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int, at position: Int) -> Int {
        let wanted = min(maxLength, length - position)
        guard wanted > 0 else { return 0 }
        while true {
            // Safety: `wanted` is at most the buffer's length, and the descriptor is open until `deinit`.
            let count = unsafe pread(descriptor, buffer, wanted, off_t(position))
            if count < 0, errno == EINTR { continue }
            if count > 0 { return count }
            shortened.store(true, ordering: .relaxed)
            return -1
        }
    }
}

private func openForReading(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC) }
#endif
