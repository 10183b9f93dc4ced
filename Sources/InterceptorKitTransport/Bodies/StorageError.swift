import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A failure to create, write or read a temporary file.
struct StorageError: Error, Hashable {
    /// The attempted action, as in `written`.
    var action: String
    /// The system's error number.
    var number: Int32

    static func last(_ action: String) -> StorageError {
        StorageError(action: action, number: errno)
    }

    /// Returns the folder and the reason as a sentence, never a file's name.
    func text(folder: String) -> String {
        // Safety: the text of a number that the system knows is constant, and it is copied at once.
        "A temporary file in \(folder) could not be \(action): \(unsafe String(cString: strerror(number)))."
    }
}
