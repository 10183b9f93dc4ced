import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TemplateScheme {
    /// Throws if the scheme is invalid or its signatures could not be verified: because a signed value is nowhere in
    /// the request, or because nothing separates two values.
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
        // The scheme may need more than the sample request has, which leaves the question open.
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
