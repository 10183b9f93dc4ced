#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Response {
    // RFC 6839: application/json and every type with a +json suffix.
    var hasJSONBody: Bool {
        guard let type = headers["Content-Type"] else { return false }
        let essence = HTTP.trimmed(String(type.prefix { $0 != ";" })).lowercased()
        return essence == "application/json" || essence.hasSuffix("+json")
    }

    /// The body's beginning as a JSON value, the body left readable.
    /// - Returns: `nil` if it is not JSON or goes on beyond the limit.
    func jsonBeginning(upTo limit: Int) async -> JSONValue? {
        guard hasJSONBody, let data = try? await body.peek(upTo: limit + 1), data.count <= limit
        else {
            return nil
        }
        return try? JSONDecoder().decode(JSONValue.self, from: data)
    }
}
