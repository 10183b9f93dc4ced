#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes a record and a line break at once, so that records of several processes do not mix.
func writeToStandardError(_ record: String) {
    let line = Array((record + "\n").utf8)
    var written = 0
    while written < line.count {
        // Safety: the buffer is the part of the line not yet written, lent for one call with its
        // own count.
        let count = unsafe line[written...].withUnsafeBytes { bytes in
            unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
        if count < 0, errno == EINTR { continue }
        // Nobody is left to be told.
        guard count > 0 else { return }
        written += count
    }
}
