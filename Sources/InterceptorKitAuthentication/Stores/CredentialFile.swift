public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential store in a file, for the processes of one machine and one user.
///
/// ```swift
/// let file = CredentialFile("/var/lib/orders/credential")
/// let tokens = StoredCredentialSource(in: file, refreshedBy: RefreshTokenSource(at: endpoint))
/// ```
///
/// The file is accessible only to its owner (permissions 600); any other file is refused. It is replaced atomically, so
/// a crash leaves the old or the new credential. A lock, which ends with its process, lets only one process refresh at
/// a time. A refresh token is recorded before it is sent: if the process ends before the response is stored, the others
/// get ``CredentialStoreError/Code-swift.struct/refreshOutcomeUnknown`` and do not send it again.
///
/// Beside the file are `.lock`, `.save` and `.used`, and briefly `.new`. The secret is not encrypted: use disk
/// encryption. Locks need a local file system; for a fleet, use the store in etcd.
public struct CredentialFile: CredentialStore, RefreshTokenJournal {
    private struct Content: Codable {
        var format = 1
        var version: String
        var credential: Data
        var sha256: String
    }

    private let file: PrivateFile
    private let usedFile: PrivateFile
    private let lockFile: PrivateFile
    private let saveFile: PrivateFile
    private let runtime: Runtime
    private let lockTimeout: Duration

    /// Creates a store.
    /// - Parameters:
    ///   - path: The file's path, in an existing folder.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    ///   - lockTimeout: The longest time that a refresh waits for another process. Defaults to 60 s.
    public init(_ path: String, runtime: Runtime = .live, lockTimeout: Duration = .seconds(60)) {
        file = PrivateFile(path: path)
        usedFile = PrivateFile(path: path + ".used")
        lockFile = PrivateFile(path: path + ".lock")
        saveFile = PrivateFile(path: path + ".save")
        self.runtime = runtime
        self.lockTimeout = lockTimeout
    }

    public func load() async throws -> CredentialRecord? { try record() }

    public func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let archive = try credential.archived()
        let saved = CredentialRecord.Version(runtime.randomBytes(16).hexadecimal)
        let content = Content(
            version: saved.text,
            credential: archive,
            sha256: HashAlgorithm.sha256.hash(archive).hexadecimal
        )
        let data = try JSONEncoder().encode(content)
        return try await changing {
            guard try record()?.version == version else { return nil }
            try file.write(data)
            // The notes are about the old refresh token. If a crash leaves them behind, they do no harm.
            try usedFile.remove()
            return saved
        }
    }

    public func clear() async throws {
        try await changing {
            try file.remove()
            try usedFile.remove()
        }
    }

    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let lock = try await waiting.first { try lockFile.lock() }
        defer { lock.release() }
        return try await body()
    }

    public func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await changing {
            let notes = try notes()
            guard !notes.contains(refreshToken.hexadecimal) else {
                throw CredentialStoreError.refreshOutcomeUnknown
            }
            guard let token = try record()?.credential.refreshToken else {
                throw CredentialStoreError.superseded
            }
            let kept = HashAlgorithm.sha256.hash(token.utf8)
            // After a failed save, the stored token is in the notes and the token to send is its unsaved successor.
            guard kept == refreshToken || notes.contains(kept.hexadecimal) else {
                throw CredentialStoreError.superseded
            }
            try note(notes + [refreshToken.hexadecimal])
        }
    }

    public func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await changing {
            let notes = try notes()
            try note(notes.filter { $0 != refreshToken.hexadecimal })
        }
    }

    /// Returns the digests of the refresh tokens used since the credential was saved: one, unless saving failed.
    /// - Throws: ``CredentialStoreError/refreshOutcomeUnknown`` if the notes are damaged.
    private func notes() throws(CredentialStoreError) -> [String] {
        guard let data = try usedFile.read() else { return [] }
        var lines = String(decoding: data, as: UTF8.self).split(at: "\n").map(String.init)
        let checksum = lines.last?.rest(after: Self.checksumMark).map(String.init)
        // Versions without checksums append their notes after the checksum line.
        lines.removeAll { $0.begins(with: Self.checksumMark) }
        let isWhole = checksum == nil || checksum == Self.checksum(of: lines)
        guard isWhole, !lines.isEmpty, lines.allSatisfy(Self.isDigest) else {
            throw CredentialStoreError.refreshOutcomeUnknown
        }
        return lines
    }

    private func note(_ notes: [String]) throws(CredentialStoreError) {
        guard !notes.isEmpty else { return try usedFile.remove() }
        let lines = notes + [Self.checksumMark + Self.checksum(of: notes)]
        try usedFile.write(Data(lines.joined(separator: "\n").utf8))
    }

    private static let checksumMark = "sha256:"

    private static func checksum(of notes: [String]) -> String {
        HashAlgorithm.sha256.hash(notes.joined(separator: "\n").utf8).hexadecimal
    }

    private static func isDigest(_ line: String) -> Bool {
        line.utf8.count == 64 && line.utf8.allSatisfy { 48...57 ~= $0 || 97...102 ~= $0 }
    }

    private var waiting: LockPolling { LockPolling(runtime: runtime, limit: lockTimeout) }

    /// Changes files under the lock between processes. The body never suspends.
    private func changing<Result>(_ body: () throws -> Result) async throws -> Result {
        let lock = try await waiting.first { try saveFile.lock() }
        defer { lock.release() }
        return try body()
    }

    private func record() throws(CredentialStoreError) -> CredentialRecord? {
        guard let data = try file.read() else { return nil }
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            throw .corrupt(file.path, "is not a complete credential")
        }
        guard content.format == 1 else {
            throw .corrupt(file.path, "was written by a newer version of this library")
        }
        guard HashAlgorithm.sha256.hash(content.credential).hexadecimal == content.sha256,
            let credential = try? Credential(archived: content.credential)
        else { throw .corrupt(file.path, "was changed after it was written") }
        return CredentialRecord(
            credential,
            version: CredentialRecord.Version(content.version)
        )
    }
}
