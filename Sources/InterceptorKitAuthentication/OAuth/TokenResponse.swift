import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a token endpoint answers with if it gives a token (RFC 6749 section 5.1).
struct TokenResponse: Decodable {
    let accessToken: String
    let tokenType: String?
    let expiresIn: Double?
    let refreshToken: String?

    /// A year: what says more is a mistake in units, or "never", which a rejection will correct.
    static let longestLifetime: Double = 366 * 86_400

    private enum Keys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        accessToken = try values.decode(String.self, forKey: .accessToken)
        guard !accessToken.isEmpty else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken,
                in: values,
                debugDescription: "The access token is empty."
            )
        }
        tokenType = try? values.decode(String.self, forKey: .tokenType)
        refreshToken = (try? values.decode(String.self, forKey: .refreshToken))
            .flatMap { $0.isEmpty ? nil : $0 }
        // A number, as prescribed, or one in quotes, as some servers write it.
        let lifetime =
            (try? values.decode(Double.self, forKey: .expiresIn))
            ?? (try? values.decode(String.self, forKey: .expiresIn)).flatMap { Double($0) }
        // One that is not positive says nothing: a token is not given out expired.
        expiresIn = lifetime.flatMap { $0 > 0 ? min($0, Self.longestLifetime) : nil }
    }
}

/// What a token endpoint answers with if it refuses (RFC 6749 section 5.2).
struct TokenErrorResponse: Decodable {
    let error: String
    let text: String?

    private enum Keys: String, CodingKey {
        case error
        case text = "error_description"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        error = try values.decode(String.self, forKey: .error)
        text = try? values.decode(String.self, forKey: .text)
    }
}
