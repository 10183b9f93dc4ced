#if JWT
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The members of a JSON object that a token consists of, each with the type that it must have.
struct Claims {
    /// The end of the year 9999, in seconds since 1970: what ISO 8601 and databases can write.
    private static let lastTime = 253_402_300_799.0

    private let members: [String: JSONValue]
    private let subject: String
    private let code: AccessTokenError.Code

    /// - Parameters:
    ///   - members: The members by name.
    ///   - subject: The kind of token, in errors.
    ///   - code: The error's code if a member is of another type.
    init(
        _ members: [String: JSONValue],
        _ subject: String = "token",
        malformed code: AccessTokenError.Code = .malformed
    ) {
        self.members = members
        self.subject = subject
        self.code = code
    }

    /// Returns whether there is a member that says something: neither `null` nor an empty text.
    func has(_ name: String) -> Bool {
        members[name].map { $0 != .null && $0 != .string("") } == true
    }

    /// Returns a text; `nil` without the member.
    func text(_ name: String) throws(AccessTokenError) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else { throw malformed(name, "text") }
        return text
    }

    /// Returns the members of an object; `nil` without it.
    func object(_ name: String) throws(AccessTokenError) -> [String: JSONValue]? {
        guard let value = members[name] else { return nil }
        guard case .object(let members) = value else { throw malformed(name, "an object") }
        return members
    }

    /// Returns a list of texts, which may also be a single one; `nil` without the member.
    func texts(_ name: String) throws(AccessTokenError) -> [String]? {
        switch members[name] {
        case nil: return nil
        case .string(let text)?: return [text]
        case .array(let values)?:
            var texts: [String] = []
            for value in values {
                guard case .string(let text) = value else { throw malformed(name, "texts") }
                texts.append(text)
            }
            return texts
        default: throw malformed(name, "a text or a list of texts")
        }
    }

    /// Returns a time (RFC 7519 section 2, NumericDate), which may have a fraction; `nil` without the member.
    func time(_ name: String) throws(AccessTokenError) -> Date? {
        let seconds: Double
        switch members[name] {
        case nil: return nil
        case .integer(let number)?: seconds = Double(number)
        case .number(let number)?: seconds = number
        default: throw malformed(name, "a number of seconds since 1970")
        }
        guard 0...Self.lastTime ~= seconds else {
            throw malformed(name, "a time from 1970 to 9999")
        }
        return Date(timeIntervalSince1970: seconds)
    }

    private func malformed(_ name: String, _ rule: String) -> AccessTokenError {
        AccessTokenError(code, "The \(subject)'s \(name) is not \(rule).")
    }
}
#endif
