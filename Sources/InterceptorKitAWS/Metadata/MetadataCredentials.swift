import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AWSCredentials {
    private struct MetadataResponse: Decodable {
        let code: String?
        let accessKeyID: String?
        let secretAccessKey: String?
        let token: String?
        let expiration: String?

        private enum CodingKeys: String, CodingKey {
            case code = "Code"
            case accessKeyID = "AccessKeyId"
            case secretAccessKey = "SecretAccessKey"
            case token = "Token"
            case expiration = "Expiration"
        }
    }

    /// Parses the response of a metadata service.
    /// - Throws: An error that repeats nothing of the response except a code such as `AssumeRoleUnauthorizedAccess`.
    init(metadata text: String, from service: String) throws(TokenError) {
        guard let response = try? JSONDecoder().decode(MetadataResponse.self, from: Data(text.utf8))
        else {
            throw TokenError(
                .malformedResponse,
                "The response of \(service) is not JSON with credentials."
            )
        }
        if let code = response.code, code != "Success" {
            let isWord = code.utf8.count <= 64 && code.utf8.allSatisfy { 0x41...0x7A ~= $0 }
            throw TokenError(
                .refused,
                "\(service) has no credentials of the role\(isWord ? ": \(code)" : "")."
            )
        }
        guard let id = response.accessKeyID, let secret = response.secretAccessKey,
            let token = response.token,
            let expiry = response.expiration.flatMap(AWSTimestamp.date)
        else {
            throw TokenError(
                .malformedResponse,
                "The response of \(service) lacks a key, its secret, its token or its expiry."
            )
        }
        self.init(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: token,
            expiresAt: expiry
        )
    }
}
