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

/// A small file that only its owner can read and write, replaced atomically.
struct PrivateFile: Sendable {
    private static let sizeLimit = 1 << 20

    let path: String

    func read() throws(CredentialStoreError) -> Data? {
        guard let file = try Descriptor.existing(path) else { return nil }
        return try file.content(upTo: Self.sizeLimit)
    }

    /// Replaces the content. The caller holds a lock that excludes other processes.
    func write(_ content: Data) throws(CredentialStoreError) {
        guard content.count <= Self.sizeLimit else {
            throw CredentialStoreError(
                .cannotWrite,
                "The file \(HTTP.printable(path)) would have \(content.count) bytes, and at most \(Self.sizeLimit) "
                    + "are read again. It was not changed."
            )
        }
        let draft = path + ".new"
        // A draft left by a crashed process may have any permissions.
        // Safety: the paths in this type are lent to C for the duration of a call. A path with a NUL never gets here,
        // because the lock beside the file is opened first and refuses it.
        unsafe unlink(draft)
        let file = try Descriptor.created(draft, O_WRONLY | O_EXCL)
        do throws(CredentialStoreError) {
            try file.write(content)
            guard unsafe rename(draft, path) == 0 else {
                throw .file(path, "cannot be replaced", errno)
            }
        } catch {
            unsafe unlink(draft)
            throw error
        }
        syncFolder()
    }

    func remove() throws(CredentialStoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .file(path, "cannot be removed", errno)
        }
        syncFolder()
    }

    /// Takes an exclusive lock on the file, which ends with the process at the latest.
    /// - Returns: The lock; `nil` if someone else holds it.
    func lock() throws(CredentialStoreError) -> FileLock? {
        let file = try Descriptor.created(path, O_RDWR)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .file(path, "cannot be locked", errno)
            }
            return nil
        }
        return FileLock(file)
    }

    // Makes the new name survive a power loss. Not every file system can do this, and the file is already in place.
    private func syncFolder() {
        let end = path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex
        let folder = path[..<end]
        let name =
            path.begins(with: "/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : "\(folder)"
        let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// A held lock. It is released with its last reference at the latest.
final class FileLock: Sendable {
    private let file: Descriptor

    fileprivate init(_ file: Descriptor) { self.file = file }

    func release() { flock(file.number, LOCK_UN) }
}

/// An open file that only its owner can access.
private final class Descriptor: Sendable {
    let number: Int32
    private let path: String

    /// Opens a file for reading.
    /// - Returns: The file; `nil` if there is none.
    static func existing(_ path: String) throws(CredentialStoreError) -> Descriptor? {
        let number = try opened(path, O_RDONLY | O_NONBLOCK)
        if number < 0, errno == ENOENT { return nil }
        return try Descriptor(path, number)
    }

    /// Opens a file, which is created if it does not exist.
    static func created(
        _ path: String,
        _ flags: Int32
    ) throws(CredentialStoreError) -> Descriptor {
        try Descriptor(path, opened(path, flags | O_CREAT))
    }

    private static func opened(
        _ path: String,
        _ flags: Int32
    ) throws(CredentialStoreError) -> Int32 {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .file(path, "cannot be opened", ENOENT)
        }
        // A symbolic link could lead to a file of someone else's choice.
        return unsafe open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }

    private init(_ path: String, _ number: Int32) throws(CredentialStoreError) {
        self.path = path
        self.number = number
        guard number >= 0 else { throw .file(path, "cannot be opened", errno) }
        try check()
    }

    // Safety: only this object has the descriptor, which is open until here. `pread` and `pwrite` are lent buffers with
    // their own count, for the duration of a call.
    deinit { if number >= 0 { close(number) } }

    private func check() throws(CredentialStoreError) {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else {
            throw .file(path, "cannot be examined", errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            throw .exposed(path, "does not belong to the user of this process")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw .exposed(
                path,
                "has the permissions \(mode), by which others may read or write it"
            )
        }
    }

    func content(upTo limit: Int) throws(CredentialStoreError) -> Data {
        var content = Data()
        var chunk = Data(count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { bytes in
                unsafe pread(number, bytes.baseAddress, bytes.count, off_t(content.count))
            }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .file(path, "cannot be read", errno)
            }
            guard count > 0 else { return content }
            content += chunk.prefix(count)
            guard content.count <= limit else {
                throw .corrupt(path, "is larger than any file that this library writes")
            }
        }
    }

    func write(_ content: Data) throws(CredentialStoreError) {
        // The umask of the process may have removed necessary permissions.
        fchmod(number, 0o600)
        var done = 0
        while done < content.count {
            let start = done
            let (count, failure) = unsafe content.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
                let count = unsafe pwrite(number, rest.baseAddress, rest.count, off_t(start))
                return (count, errno)
            }
            if count > 0 {
                done += count
            } else if count == 0 || failure != EINTR {
                throw .file(path, "cannot be written", count == 0 ? ENOSPC : failure)
            }
        }
        guard fsync(number) == 0 else { throw .file(path, "cannot be written", errno) }
    }
}

extension CredentialStoreError {
    fileprivate static func file(
        _ path: String,
        _ problem: String,
        _ number: Int32
    ) -> CredentialStoreError {
        let reason = unsafe String(cString: strerror(number))
        let isReading = problem.ends(with: "read") || problem.ends(with: "opened")
        return CredentialStoreError(
            isReading ? .cannotRead : .cannotWrite,
            "The file \(HTTP.printable(path)) \(problem): \(reason)."
        )
    }

    fileprivate static func exposed(_ path: String, _ problem: String) -> CredentialStoreError {
        CredentialStoreError(
            .unsafeFile,
            "The file \(HTTP.printable(path)) \(problem). Nothing was read from it. If the secret in it "
                + "may be known to others, replace the secret (sign in again, or save a new key); otherwise give "
                + "the file to its owner alone (chmod 600)."
        )
    }

    static func corrupt(_ path: String, _ problem: String) -> CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "The file \(HTTP.printable(path)) \(problem). It was not changed. Bring back a copy of it, "
                + "or remove it, and sign in or save the keys again."
        )
    }
}
