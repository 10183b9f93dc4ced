import InterceptorKit

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

/// A small file that other programs write.
enum BoundedFile {
    /// Returns the text of a file.
    /// - Parameters:
    ///   - path: The file's path, which may be a link.
    ///   - limit: The largest size, in bytes.
    /// - Returns: `nil` if there is no file that this user could see.
    static func text(_ path: String, upTo limit: Int) throws(TokenError) -> String? {
        guard let bytes = try bytes(path, upTo: limit) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid("The file \(HTTP.printable(path)) is not text in UTF-8.")
        }
        return text
    }

    private static func bytes(
        _ path: String,
        upTo limit: Int
    ) throws(TokenError) -> [UInt8]? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        // Does not block: opening a pipe in the file's place would wait for its writer.
        // Safety: the path is lent to C for the duration of the call.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { return nil }
            // A container may name the home folder of another user, which has nothing for this one.
            if code == EACCES, unsafe access(path, F_OK) != 0 { return nil }
            throw unreadable(path, code)
        }
        defer { close(number) }
        var status = stat()
        // Safety: the status is written within the call.
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            // Safety: the buffer is lent with its own count.
            let count = unsafe chunk.withUnsafeMutableBytes { bytes in
                unsafe read(number, bytes.baseAddress, bytes.count)
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw unreadable(path, errno)
            }
            guard count > 0 else { return content }
            content += chunk.prefix(count)
            guard content.count <= limit else {
                throw .invalid("The file \(HTTP.printable(path)) has more than \(limit) bytes.")
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> TokenError {
        // Safety: the system's text is copied at once.
        let reason = unsafe String(cString: strerror(code))
        return .invalid("The file \(HTTP.printable(path)) cannot be read: \(reason).")
    }
}
