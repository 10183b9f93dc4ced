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
    /// Where to stop; `nil` for the end of a file that states no size.
    private let end: Int?
    private let position: Lock<Int?>

    /// Opens a file, which may take long on a slow disk or network.
    @concurrent
    static func open(_ region: HTTP.FileRegion) async throws(HTTP.BodyError) -> FileStream {
        let descriptor = openForReading(region.path)
        guard descriptor >= 0 else { throw .unreadableFile(region.path, Self.reason()) }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let reason = Self.reason()
        // Closes the file, also where it is refused.
        let stream = FileStream(region, descriptor, size: Int(status.st_size))
        guard isKnown else { throw .unreadableFile(region.path, reason) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadableFile(
                region.path,
                "it is a folder, a pipe or a device; send what can be read from it as a stream"
            )
        }
        guard stream.end ?? 0 <= status.st_size else {
            throw .unreadableFile(
                region.path,
                "it has \(status.st_size) bytes and not \(stream.end ?? 0)"
            )
        }
        return stream
    }

    private init(_ region: HTTP.FileRegion, _ descriptor: Int32, size: Int) {
        path = region.path
        self.descriptor = descriptor
        end = region.range?.upperBound ?? (size == 0 ? nil : size)
        position = Lock(region.range?.lowerBound ?? 0)
    }

    deinit { close(descriptor) }

    @concurrent
    func next() async throws -> Data? {
        guard let start = position.withLock(\.self) else { return nil }
        let wanted = min(Self.chunkSize, end.map { $0 - start } ?? Self.chunkSize)
        guard wanted > 0 else { return nil }
        // Safety: `pread` writes at most `wanted` bytes, which is what the buffer holds; the
        // descriptor is open until `deinit`.
        var chunk = Data(count: wanted)
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(start))
        }
        if count == 0, end == nil { return nil }
        guard count > 0 else {
            throw HTTP.BodyError.unreadableFile(
                path,
                count < 0 ? Self.reason() : "it became shorter"
            )
        }
        position.withLock { if $0 != nil { $0 = start + count } }
        return chunk.prefix(count)
    }

    func cancel() { position.withLock { $0 = nil } }

    private static func reason() -> String {
        unsafe String(cString: strerror(errno))
    }
}

// Without waiting for the writer of a pipe.
private func openForReading(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
}

extension HTTP.FileRegion {
    /// The number of bytes, or `nil` if the file cannot be asked, or does not say: a pipe, or a file of
    /// `/proc`, whose size is 0 although it has content.
    var length: Int? {
        if let range { return range.count }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        if status.st_size > 0 { return Int(status.st_size) }
        let descriptor = openForReading(path)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        // Safety: one byte is written at most.
        return unsafe pread(descriptor, &byte, 1, 0) == 0 ? 0 : nil
    }
}
