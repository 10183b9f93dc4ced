import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file's bytes in chunks, so that a large one is never in memory as a whole.
///
/// Written on the C library because FoundationEssentials has no file handle.
final class FileStream: BodyStream {
    // Large enough that system calls do not count, small enough to hold one for each upload.
    private static let chunkSize = 64 * 1024

    private let path: String
    private let descriptor: Int32
    private let end: Int
    private let position: Lock<Int>

    init(_ region: HTTP.FileRegion) throws(HTTP.BodyError) {
        path = region.path
        descriptor = unsafe open(region.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableFile(region.path, Self.reason()) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        end = region.range?.upperBound ?? size
        position = Lock(region.range?.lowerBound ?? 0)
        guard size >= 0, end <= size else {
            let reason = size < 0 ? Self.reason() : "it has \(size) bytes and not \(end)"
            close(descriptor)
            throw .unreadableFile(region.path, reason)
        }
    }

    deinit { close(descriptor) }

    @concurrent
    func next() async throws -> Data? {
        let start = position.withLock(\.self)
        let wanted = min(Self.chunkSize, end - start)
        guard wanted > 0 else { return nil }
        // Safety: `pread` writes at most `wanted` bytes, which is what the buffer holds; the
        // descriptor is open until `deinit`.
        var chunk = Data(count: wanted)
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(start))
        }
        guard count > 0 else {
            throw HTTP.BodyError.unreadableFile(
                path,
                count < 0 ? Self.reason() : "it became shorter"
            )
        }
        position.withLock { $0 = start + count }
        return chunk.prefix(count)
    }

    func cancel() { position.withLock { $0 = end } }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}

extension HTTP.FileRegion {
    /// The number of bytes, or `nil` if the file cannot be asked.
    var length: Int? {
        if let range { return range.count }
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
