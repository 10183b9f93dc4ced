import Foundation
import InterceptorKit
import InterceptorKitSigning
import TestSupport

/// A request whose signature was published by a service, or made by its own software.
struct SignatureExample: Sendable {
    /// The preset, a number, and where the signature is from.
    let name: String
    let scheme: TemplateScheme
    let request: HTTP.Request
    let key: SigningKey
    let context: SigningContext
    /// The signature, as it ends the place that it is put into.
    let signature: String

    init(
        _ name: String,
        _ scheme: TemplateScheme,
        _ request: HTTP.Request,
        _ key: SigningKey,
        at seconds: Double,
        nonce: String = "",
        is signature: String
    ) {
        self.name = name
        self.scheme = scheme
        self.request = request
        self.key = key
        self.signature = signature
        let date = Date(timeIntervalSince1970: seconds)
        context = SigningContext(key: key, freshness: SignatureFreshness(date: date, nonce: nonce))
    }

    static let form: HTTP.Headers = ["Content-Type": "application/x-www-form-urlencoded"]

    static func key(_ id: String, _ secret: String, token: String? = nil) -> SigningKey {
        var key = SigningKey(id: id, secret: secret.utf8)
        key.token = token
        return key
    }
}
