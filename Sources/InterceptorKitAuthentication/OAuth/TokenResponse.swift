import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of a token endpoint that grants a token (RFC 6749 section 5.1).
struct TokenResponse: Decodable {
    let accessToken: String
    let tokenType: String?
    let expiresIn: Double?
    let refreshToken: String?

    /// A year. A longer lifetime is a mistake in units or means "never", and a rejection will correct it.
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
        // A number, as prescribed, or a string, as some servers send it.
        let lifetime =
            (try? values.decode(Double.self, forKey: .expiresIn))
            ?? (try? values.decode(String.self, forKey: .expiresIn)).flatMap { Double($0) }
        // A lifetime that is not positive is ignored, because no server grants an expired token.
        expiresIn = lifetime.flatMap { $0 > 0 ? min($0, Self.longestLifetime) : nil }
    }
}

/// The response of a token endpoint that refuses (RFC 6749 section 5.2).
struct TokenErrorResponse: Decodable {
    let error: String
    let text: String?

    private enum Keys: String, CodingKey {
        case error
        case text = "error_description"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let name = try? values.decode(String.self, forKey: .error) {
            error = name
            text = try? values.decode(String.self, forKey: .text)
        } else {
            let object = try values.decode(ErrorObject.self, forKey: .error)
            error = object.name
            text = object.message
        }
    }
}

/// An error as an object, as Facebook (`type`) and Google (`status`) send it in place of a name.
private struct ErrorObject: Decodable {
    let name: String
    let message: String?

    private enum Keys: String, CodingKey { case type, status, code, message }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        let names = [Keys.type, .status, .code].lazy.compactMap { key in
            (try? values.decode(String.self, forKey: key))
                ?? (try? values.decode(Int.self, forKey: key)).map(String.init)
        }
        guard let name = names.first else {
            throw DecodingError.dataCorruptedError(
                forKey: .code,
                in: values,
                debugDescription: "The error has no name."
            )
        }
        self.name = name
        message = try? values.decode(String.self, forKey: .message)
    }
}
