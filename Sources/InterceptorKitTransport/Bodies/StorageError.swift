import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a temporary file could not be made, written or read.
struct StorageError: Error, Hashable {
    /// What was tried, as in `written`.
    var action: String
    /// The system's error number.
    var number: Int32

    static func last(_ action: String) -> StorageError {
        StorageError(action: action, number: errno)
    }

    /// Where and why, for the end of a sentence; never a file's name.
    func text(folder: String) -> String {
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        "A temporary file in \(folder) could not be \(action): \(unsafe String(cString: strerror(number)))."
    }
}
