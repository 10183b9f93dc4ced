import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signed message of a webhook: id, timestamp and content, joined with full stops.
struct WebhookMessage {
    let id: String
    let timestamp: String
    let content: Data

    /// A full stop in the id would let one signature fit two messages (section "Signature scheme").
    static func isID(_ text: String) -> Bool {
        1...200 ~= text.utf8.count
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ".") }
    }

    var signedBytes: [UInt8] { Array("\(id).\(timestamp).".utf8) + content }

    /// Returns one element of `webhook-signature`.
    func signature(by key: SigningKey) throws -> String {
        guard !key.isSecret else {
            let code = try key.authenticationCode(of: signedBytes)
            return "v1,\(Data(code).base64EncodedString())"
        }
        let signer = try key.signer
        guard signer.algorithm == .ed25519 else {
            throw SigningError(
                .unsuitableKey,
                "The key \(HTTP.printable(key.id)) signs with \(signer.algorithm), and webhooks are signed by a "
                    + "secret or with Ed25519."
            )
        }
        return "v1a,\(Data(try signer.signature(of: signedBytes)).base64EncodedString())"
    }
}
