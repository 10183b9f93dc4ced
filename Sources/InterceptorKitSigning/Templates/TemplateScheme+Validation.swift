import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TemplateScheme {
    /// Throws if the scheme cannot work, or if what it signs could not be verified: a value stands in the text
    /// and nowhere in the request, or nothing tells where one value ends and the next begins.
    func validateForVerifying() throws {
        try validate()
        let key = SigningKey(id: "sample", secret: Array(repeating: 0x61, count: 32))
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let request = HTTP.Request.post(
            "https://api.example.com/sample",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "sample=1"
        )
        let context = SigningContext(
            key: key,
            freshness: SignatureFreshness(date: date, nonce: "sample"),
            bodyHash: bodyHash(for: request).map { $0.hash("sample=1".utf8) }
        )
        // A scheme may ask for more than the sample has: then nothing is known.
        guard let signed = try? sign(request, context) else { return }
        guard isGenuine(signed, with: key, date: date) else {
            throw SigningError(
                .invalidScheme,
                "What this scheme signs cannot be verified: a value of its text is read back from no place "
                    + "of the request. Add each to a field, parameter or element of its own, with text "
                    + "between two values."
            )
        }
    }
}
