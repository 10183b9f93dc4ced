public import InterceptorKit
public import InterceptorKitAuthentication
import InterceptorKitSharedState

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential store in etcd, for the processes of a fleet.
///
/// ```swift
/// let store = try EtcdCredentialStore(
///     ["https://etcd-1.example.com:2379", "https://etcd-2.example.com:2379"],
///     key: "orders/credential",
///     pipeline: try Pipeline(transport: transport) {}
/// )
/// let tokens = StoredCredentialSource(in: store, refreshedBy: RefreshTokenSource(at: endpoint))
/// ```
///
/// One process refreshes at a time: it holds a key with a lease, which locks out the others and ends soon after its
/// holder. A watch wakes the waiting processes. A save replaces one specific revision or fails. A refresh token is
/// recorded in etcd before it is sent, so none is used twice, even by a process that slept past the end of its lease.
///
/// While the cluster cannot be reached, each process continues with its credential. A refresh fails with
/// `CredentialStoreError.Code.unreachable` and does not send the refresh token. A credential that arrives just after
/// the cluster became unreachable is kept in memory and saved later (`StoredCredentialSource`).
///
/// The credential is stored unencrypted. Give the key its own user (etcd's access control, with the token added by an
/// interceptor of the pipeline), and use TLS.
public final class EtcdCredentialStore: CredentialStore, RefreshTokenJournal {
    private struct Content: Codable {
        var format = 1
        var credential: Data
        /// The checksum of the credential; `nil` in records of earlier versions.
        var sha256: String?
    }

    private let gateway: EtcdGateway
    private let lock: EtcdLock
    private let key: Data
    private let usedKey: Data
    private let notes = RefreshTokenNotes()

    /// Creates a store.
    /// - Parameters:
    ///   - endpoints: The members of the cluster. If one cannot be reached, the next is asked.
    ///   - key: The key. The store also uses the keys with `/lock` and `/used` appended.
    ///   - pipeline: The chain for the requests, with TLS and access control as needed, without an error filter.
    ///   - lease: The longest time that the lock of an ended process blocks others, in whole seconds. Defaults to 15 s.
    ///   - lockTimeout: The longest time that a refresh waits for another process. Defaults to 60 s.
    ///   - timeout: The longest time for a request to one member. Defaults to 5 s.
    ///   - runtime: The clock and random source. Defaults to the live runtime.
    /// - Throws: `SettingError` for invalid settings.
    public init(
        _ endpoints: [HTTP.URL],
        key: String,
        pipeline: Pipeline<HTTP.Request>,
        lease: Duration = .seconds(15),
        lockTimeout: Duration = .seconds(60),
        timeout: Duration = .seconds(5),
        runtime: Runtime = .live
    ) throws(SettingError) {
        let check = SettingCheck(of: "EtcdCredentialStore")
        try check.etcd(endpoints, named: "endpoints", timeout: timeout)
        try check.require(!key.isEmpty, "key", "empty", "a text")
        try check.require(
            lease >= .seconds(1),
            "lease",
            lease.formattedSeconds,
            "at least a second"
        )
        gateway = EtcdGateway(
            endpoints: endpoints,
            pipeline: pipeline,
            timeout: timeout,
            runtime: runtime,
            wording: { CredentialStoreError($0) }
        )
        self.key = Data(key.utf8)
        usedKey = Data("\(key)/used".utf8)
        lock = EtcdLock(
            gateway: gateway,
            key: Data("\(key)/lock".utf8),
            lease: lease,
            limit: lockTimeout
        )
    }

    public func load() async throws -> CredentialRecord? {
        let response = try await gateway.transact(EtcdTransaction(success: [.range(key)]))
        return try record(response.entries.first.flatMap(\.self))
    }

    public func save(
        _ credential: Credential,
        over version: CredentialRecord.Version?
    ) async throws -> CredentialRecord.Version? {
        let archive = try credential.archived()
        let content = Content(
            credential: archive,
            sha256: HashAlgorithm.sha256.hash(archive).hexadecimal
        )
        let value = try JSONEncoder().encode(content)
        let revision = EtcdNumber(version.flatMap { Int64($0.text) } ?? 0)
        let response = try await gateway.transact(
            EtcdTransaction(
                compare: [.init(key: key, revision: revision)],
                success: [.put(key, value), .delete(usedKey)],
                failure: [.range(key)]
            )
        )
        if response.succeeded == true { return self.version(response.header.revision) }
        // A request whose response was lost may already have saved this value.
        guard let entry = response.entries.first.flatMap(\.self), entry.value == value else {
            return nil
        }
        return self.version(entry.modified)
    }

    public func clear() async throws {
        _ = try await gateway.transact(EtcdTransaction(success: [.delete(key), .delete(usedKey)]))
    }

    public func withLock<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await lock.hold(body)
    }

    public func recordUse(of refreshToken: HashAlgorithm.Digest) async throws {
        try await notes.write(refreshToken, on: gateway.runtime) { note in
            try await write(note, of: refreshToken)
        }
    }

    private func write(
        _ note: RefreshTokenNotes.Note,
        of refreshToken: HashAlgorithm.Digest
    ) async throws {
        let value = try JSONEncoder().encode(note)
        // Both keys rarely change in between: by a sign-in or sign-out, or by a process that lost the lock.
        for _ in 0..<4 {
            let seen = try await gateway.transact(
                EtcdTransaction(success: [.range(key), .range(usedKey)])
            ).entries
            guard seen.count == 2 else { throw malformed }
            let record = try record(seen[0])
            // A process that lost its lock while it slept has a token that was used since.
            guard let token = record?.credential.refreshToken,
                HashAlgorithm.sha256.hash(token.utf8) == refreshToken
            else { throw CredentialStoreError.superseded }
            if let entry = seen[1] {
                let found = try? JSONDecoder().decode(
                    RefreshTokenNotes.Note.self,
                    from: entry.value ?? Data()
                )
                guard let found else { throw malformed }
                if found == note { return }
                guard found.refreshToken != note.refreshToken else {
                    throw CredentialStoreError.refreshOutcomeUnknown
                }
            }
            let zero = EtcdNumber(0)
            let response = try await gateway.transact(
                EtcdTransaction(
                    compare: [
                        .init(key: key, revision: seen[0]?.modified ?? zero),
                        .init(key: usedKey, revision: seen[1]?.modified ?? zero),
                    ],
                    success: [.put(usedKey, value)]
                )
            )
            if response.succeeded == true { return }
        }
        throw CredentialStoreError.superseded
    }

    public func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws {
        notes.withdraw(refreshToken)
        let response = try await gateway.transact(EtcdTransaction(success: [.range(usedKey)]))
        guard let entry = response.entries.first.flatMap(\.self),
            let found = try? JSONDecoder().decode(
                RefreshTokenNotes.Note.self,
                from: entry.value ?? Data()
            ),
            found.refreshToken == refreshToken.hexadecimal
        else { return }
        _ = try await gateway.transact(
            EtcdTransaction(
                compare: [.init(key: usedKey, revision: entry.modified)],
                success: [.delete(usedKey)]
            )
        )
    }

    private func record(_ entry: EtcdEntry?) throws -> CredentialRecord? {
        guard let entry else { return nil }
        guard let content = try? JSONDecoder().decode(Content.self, from: entry.value ?? Data()),
            content.format == 1,
            content.sha256 == nil
                || content.sha256 == HashAlgorithm.sha256.hash(content.credential).hexadecimal,
            let credential = try? Credential(archived: content.credential)
        else { throw malformed }
        return CredentialRecord(credential, version: version(entry.modified))
    }

    private func version(_ revision: EtcdNumber) -> CredentialRecord.Version {
        CredentialRecord.Version("\(revision.value)")
    }

    private var malformed: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "The value of the etcd key \(String(decoding: key, as: UTF8.self)) is not a credential. It was "
                + "not changed. Remove it and sign in, or use another key."
        )
    }
}

extension EtcdCredentialStore: CustomStringConvertible {
    /// The store's key.
    public var description: String {
        "EtcdCredentialStore(\(String(decoding: key, as: UTF8.self)))"
    }
}

extension EtcdCredentialStore: CustomReflectable {
    /// The description, so that `dump` and debuggers show no credential.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}

extension CredentialStoreError {
    fileprivate init(_ error: StoreError) {
        if error.code == .malformedResponse {
            self.init(.malformedResponse, error.message, cause: error.cause)
        } else {
            let message =
                "\(error.message) The credential in use stays in use; it is not refreshed without the "
                + "cluster."
            self.init(.unreachable, message, cause: error.cause)
        }
    }
}
