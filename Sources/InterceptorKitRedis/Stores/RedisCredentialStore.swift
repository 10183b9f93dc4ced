#if Redis
public import InterceptorKit
public import InterceptorKitAuthentication
import NIOCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential store in Redis or Valkey, for the processes of a fleet.
///
/// ```swift
/// let store = try RedisCredentialStore(redis, key: "orders")
/// let tokens = StoredCredentialSource(in: store, refreshedBy: refreshing)
/// ```
///
/// One process refreshes at a time. A key that expires soon after its holder ended serves as the lock, and waiting
/// processes try again after waits of up to 100 ms. A save replaces one certain version or fails. A refresh token is
/// recorded before it is sent, so none is used twice, even by a process that slept past the end of its lock.
///
/// While the server is unavailable, each process continues with its credential. A refresh fails with
/// `CredentialStoreError.Code.unreachable`, and the refresh token is not sent. If the server loses its data, someone
/// has to sign in, so let it keep its data (`appendonly yes`). After a failover to a replica without the last record, a
/// refresh token may be sent twice. A server that evicts keys (`maxmemory-policy` other than `noeviction`) is refused.
///
/// The credential is stored unencrypted. Restrict its keys to one user (an access control list), and use TLS.
public final class RedisCredentialStore: CredentialStore, RefreshTokenJournal {
    private let client: RedisClient
    private let key: String
    private let record: String
    private let lock: String
    private let lease: Duration
    private let lockTimeout: Duration
    private let notes = RefreshTokenNotes()

    /// Creates a store.
    /// - Parameters:
    ///   - client: The connection to the server.
    ///   - key: The name of the credential, the same in all processes that share it.
    ///   - prefix: The prefix of its keys. Defaults to `interceptorkit`.
    ///   - lease: The longest time that the lock of an ended process blocks the others. Defaults to 15 s.
    ///   - lockTimeout: The longest wait of a refresh for another process. Defaults to 60 s.
    /// - Throws: `SettingError` for invalid settings.
    public init(
        _ client: RedisClient,
        key: String,
        prefix: String = "interceptorkit",
        lease: Duration = .seconds(15),
        lockTimeout: Duration = .seconds(60)
    ) throws(SettingError) {
        let check = SettingCheck(of: "RedisCredentialStore")
        try check.require(!key.isEmpty, "key", "empty", "a text")
        try check.require(
            lease >= .seconds(1),
            "lease",
            lease.formattedSeconds,
            "at least a second"
        )
        self.client = client
        self.key = key
        self.lease = lease
        self.lockTimeout = lockTimeout
        // Of two kinds, so that no key's lock is the record of another key.
        record = RedisKeys(prefix: prefix, "credential").named(key)
        lock = RedisKeys(prefix: prefix, "credential-lock").named(key)
    }

    public func load() async throws -> CredentialRecord? {
        let reply = try await run(CredentialScripts.load, record)
        if reply == .null { return nil }
        guard let fields = reply.list, fields.count == 3, case .text(let bytes) = fields[0],
            let version = fields[2].string, !version.isEmpty
        else { throw corrupt }
        let archive = Data(bytes.readableBytesView)
        guard fields[1].string == HashAlgorithm.sha256.hash(archive).hexadecimal,
            let credential = try? Credential(archived: archive)
        else { throw corrupt }
        return CredentialRecord(credential, version: CredentialRecord.Version(version))
    }

    public func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let archive = try credential.archived()
        let token = credential.refreshToken.map { HashAlgorithm.sha256.hash($0.utf8).hexadecimal }
        let reply = try await run(
            CredentialScripts.save,
            record,
            .text(version?.text ?? ""),
            .bytes(archive),
            .text(HashAlgorithm.sha256.hash(archive).hexadecimal),
            .text(token ?? "")
        )
        return reply.string.map { CredentialRecord.Version($0) }
    }

    public func clear() async throws { _ = try await run(CredentialScripts.clear, record) }

    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let holder = RedisCommand.Argument.text(
            "\(client.runtime.random())-\(client.runtime.identifier())"
        )
        let time = RedisCommand.Argument.text("\(lease.wholeMilliseconds)")
        let held = LeaseKeeping(lease, on: client.runtime) { [self] in
            _ = try? await run(CredentialScripts.extendLock, lock, holder, time)
        } release: { [self] in
            _ = try? await run(CredentialScripts.unlock, lock, holder)
        }
        do {
            _ = try await LockPolling(runtime: client.runtime, limit: lockTimeout).first {
                let reply = try await run(CredentialScripts.lock, lock, holder, time)
                return reply.integer == 1 ? true : nil
            }
        } catch {
            // The lock may have been granted all the same.
            await held.releaseLease()
            throw error
        }
        return try await held.during(body)
    }

    public func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await notes.write(refreshToken, on: client.runtime) { note in
            let reply = try await run(
                CredentialScripts.recordUse,
                record,
                .text(note.refreshToken),
                .text(note.writer)
            )
            switch reply.string {
            case "noted": return
            case "used": throw CredentialStoreError.refreshOutcomeUnknown
            default: throw CredentialStoreError.superseded
            }
        }
    }

    public func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        notes.withdraw(refreshToken)
        _ = try await run(
            CredentialScripts.withdrawUse,
            record,
            .text(refreshToken.hexadecimal)
        )
    }

    private func run(
        _ script: RedisScript,
        _ key: String,
        _ arguments: RedisCommand.Argument...
    ) async throws -> RESPValue {
        do {
            let reply = try await client.run(script, [key]) { _ in arguments }
            if reply.facts.evictsKeys == true { throw RedisError.evictsKeys(canAccept: false) }
            return reply.value
        } catch let error as RedisError {
            throw CredentialStoreError(
                error.code == .malformedReply ? .malformedResponse : .unreachable,
                "\(error.message) The credential in use stays in use; it is not refreshed without the server.",
                cause: error
            )
        }
    }

    private var corrupt: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "The value of the Redis key \(key) is not a credential. It was not changed. Remove it and sign in, or "
                + "use another key."
        )
    }
}

extension RedisCredentialStore: CustomStringConvertible {
    /// The store's key.
    public var description: String { "RedisCredentialStore(\(key))" }
}

extension RedisCredentialStore: CustomReflectable {
    /// The description, so that `dump` and debuggers show no credential.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
#endif
