public import InterceptorKit

/// Notes which refresh token is in use, so that none is used twice, no matter who dies in between.
///
/// A server that rotates refresh tokens takes the use of an old one for theft, and may end the session
/// for everybody (RFC 9700 section 4.14.2). A `CredentialStore` that is a journal too is asked by
/// ``StoredCredentialSource`` before a refresh token is sent.
public protocol RefreshTokenJournal: Sendable {
    /// Notes for good that a refresh token is about to be sent.
    ///
    /// In one step with the check that it is the one kept: a sign-in by another process takes old notes
    /// away.
    /// - Parameter refreshToken: The token's SHA-256.
    /// - Throws: ``CredentialStoreError/refreshOutcomeUnknown`` if the same one is noted already,
    ///   ``CredentialStoreError/superseded`` if another is kept, and what keeps the note from being
    ///   written.
    func recordUse(of refreshToken: HashAlgorithm.Digest) async throws

    /// Takes a note back, because the token was certainly not used.
    func withdrawUse(of refreshToken: HashAlgorithm.Digest) async throws
}

/// An error of a `CredentialSource` that knows what happened to the refresh token.
public protocol RefreshTokenUseError: Error {
    /// Whether the refresh token was certainly not used up, so that it may be sent again.
    var isRefreshTokenUnused: Bool { get }
}

/// A source whose refresh tokens are noted before they are used.
struct JournaledSource: CredentialSource {
    let source: any CredentialSource
    let journal: any RefreshTokenJournal

    func load() async throws -> Credential? { try await source.load() }

    func refresh(_ rejected: Credential?) async throws -> Credential? {
        guard let token = rejected?.refreshToken else { return try await source.refresh(rejected) }
        let digest = HashAlgorithm.sha256.hash(token.utf8)
        try await journal.recordUse(of: digest)
        do {
            let refreshed = try await source.refresh(rejected)
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

    private static func isRefreshTokenUnused(_ error: any Error) -> Bool {
        switch error {
        case let error as any RefreshTokenUseError: error.isRefreshTokenUnused
        case let error as any ClassifiedError: error.classification.isUnsent
        case is HTTP.RequestError, is PipelineError: true
        default: false
        }
    }
}
