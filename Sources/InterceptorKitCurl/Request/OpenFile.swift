import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file, read at given positions.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let start: Int
    let length: Int

    /// Opens a file, off the caller's executor; `nil` if it cannot be opened or is shorter than the region.
    @concurrent
    static func open(_ region: HTTP.FileRegion) async -> OpenFile? { OpenFile(region) }

    init?(_ region: HTTP.FileRegion) {
        descriptor = openForReading(region.path)
        guard descriptor >= 0 else { return nil }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        start = region.range?.lowerBound ?? 0
        length = (region.range?.upperBound ?? size) - start
        guard size >= 0, start + length <= size else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Upload.Supply {
        let wanted = min(buffer.count, length - offset)
        guard wanted > 0 else { return .end }
        // Safety: `wanted` is at most the buffer's count, and the descriptor is open until `deinit`.
        let count = unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(start + offset))
        return count > 0
            ? .bytes(count) : .failed(.bodyTooShort(sent: offset, stated: length))
    }
}

private func openForReading(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC) }
