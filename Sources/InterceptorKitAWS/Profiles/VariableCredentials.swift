#if canImport(FoundationEssentials)
import InterceptorKit
import FoundationEssentials
#else
import Foundation
#endif

extension AWSEnvironment {
    func variableCredentials() throws(TokenError) -> AWSCredentials {
        guard let id = variable("AWS_ACCESS_KEY_ID") else {
            throw .notConfigured("AWS_ACCESS_KEY_ID is not set.")
        }
        guard let secret = variable("AWS_SECRET_ACCESS_KEY") else {
            throw .invalid("AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not. Set both.")
        }
        var expiry: Date?
        if let text = variable("AWS_CREDENTIAL_EXPIRATION") {
            guard let date = AWSTimestamp.date(text) else {
                throw .invalid(
                    "AWS_CREDENTIAL_EXPIRATION is not a date such as 2026-01-31T12:00:00Z."
                )
            }
            expiry = date
        }
        return AWSCredentials(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: variable("AWS_SESSION_TOKEN") ?? variable("AWS_SECURITY_TOKEN"),
            expiresAt: expiry
        )
    }
}
