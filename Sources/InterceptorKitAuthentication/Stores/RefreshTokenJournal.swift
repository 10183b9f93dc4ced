public import InterceptorKit

/// A log of used refresh tokens, so that none is used twice, even if a process ends in between.
///
/// A server that rotates refresh tokens treats the reuse of an old one as theft, and may end the session for everybody
/// (RFC 9700 section 4.14.2). If a `CredentialStore` is also a journal, ``StoredCredentialSource`` records each refresh
/// token with it before sending the token.
public protocol RefreshTokenJournal: Sendable {
    /// Records permanently that a refresh token is about to be sent.
    ///
    /// The same step checks that the token is the stored one. A sign-in by another process removes old records.
    /// - Parameter refreshToken: The token's SHA-256.
    /// - Throws: ``CredentialStoreError/refreshOutcomeUnknown`` if the token is already recorded,
    ///   ``CredentialStoreError/superseded`` if another token is stored, or the error of writing the record.
    func recordUse(of refreshToken: HashAlgorithm.Digest) async throws

    /// Removes the record of a token that is known to be unused.
    func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws
}

/// An error of a `CredentialSource` that knows whether the refresh token was used.
public protocol RefreshTokenUseError: Error {
    /// Whether the refresh token is known to be unused, so that it may be sent again.
    var isRefreshTokenUnused: Bool { get }
}

/// A source that records refresh tokens in a journal before it uses them.
struct JournaledSource: CredentialSource {
    let source: any CredentialSource
    let journal: any RefreshTokenJournal

    func load() async throws -> Credential? { try await source.load() }

    func need(in response: HTTP.Response, of call: Call) -> CredentialNeed? {
        source.need(in: response, of: call)
    }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        try await refresh(rejected, RefreshContext())
    }

    func refresh(
        _ rejected: Credential?,
        _ context: RefreshContext
    ) async throws -> Credential? {
        guard let token = rejected?.refreshToken else {
            return try await source.refresh(rejected, context)
        }
        let digest = HashAlgorithm.sha256.hash(token.utf8)
        try await journal.recordUse(of: digest)
        do {
            let refreshed = try await source.refresh(rejected, context)
            if refreshed == nil { try await journal.withdrawUse(of: digest) }
            return refreshed
        } catch let error where Self.isRefreshTokenUnused(error) {
            try await journal.withdrawUse(of: digest)
            throw error
        } catch let error as any SessionEndingError where error.endsSession {
            throw error
        } catch {
            throw CredentialStoreError.refreshOutcomeUnknown(after: error)
        }
    }

    static func isRefreshTokenUnused(_ error: any Error) -> Bool {
        switch error {
        case let error as any RefreshTokenUseError: error.isRefreshTokenUnused
        case let error as any ClassifiedError: error.classification.isUnsent
        case is HTTP.RequestError, is PipelineError: true
        default: false
        }
    }
}
