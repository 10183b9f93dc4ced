#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Credential {
    private struct Archive: Codable {
        var kind: String
        var fields: [[String]]
        var parameters: [[String]]?
        var expiresAt: Double?
        var refreshToken: String?
        var attachment: Data?
    }

    /// Returns the credential as data with secrets and attachment, for a ``CredentialStore`` that only its owner reads.
    public func archived() throws -> Data {
        try JSONEncoder().encode(
            Archive(
                kind: kind,
                fields: fields.map { [$0.name, $0.value] },
                parameters: parameters.isEmpty ? nil : parameters.map { [$0.name, $0.value] },
                expiresAt: expiresAt?.timeIntervalSince1970,
                refreshToken: refreshToken,
                attachment: attachment
            )
        )
    }

    /// Reads an archived credential.
    /// - Parameter data: The result of ``archived()``.
    /// - Throws: ``TokenError`` with ``TokenError/Code-swift.struct/invalidCredential``, which shows no data.
    public init(archived data: Data) throws(TokenError) {
        guard let archive = try? JSONDecoder().decode(Archive.self, from: data),
            (archive.fields + (archive.parameters ?? [])).allSatisfy({ $0.count == 2 })
        else { throw TokenError.invalidCredential("the stored data is not a credential") }
        self.init(
            kind: archive.kind,
            fields: archive.fields.map { ($0[0], $0[1]) },
            parameters: HTTP.Parameters((archive.parameters ?? []).map { ($0[0], $0[1]) }),
            expiresAt: archive.expiresAt.map { Date(timeIntervalSince1970: $0) },
            refreshToken: archive.refreshToken
        )
        attachment = archive.attachment
    }
}
