extension HTTP {
    /// A server's request for authentication: a scheme and its parameters (RFC 9110 section 11.3).
    ///
    /// ```swift
    /// let bearer = response.headers.challenges().first { $0.isScheme("Bearer") }
    /// if let bearer, bearer.bearerError == .insufficientScope {
    ///     print("The token lacks:", bearer.scopes)
    /// }
    /// ```
    public struct Challenge: Sendable, Hashable {
        /// A parameter of a challenge.
        public struct Parameter: Sendable, Hashable {
            /// The name as spelled; names are compared without regard to case.
            public let name: String
            /// The value without quotes and escapes.
            public let value: String

            /// Creates a parameter.
            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The scheme as spelled; see ``isScheme(_:)``.
        public let scheme: String
        /// The text after the scheme if it isn't a list of parameters, as in `Negotiate YIIC…`.
        public let token68: String?
        /// The parameters in order, including repeated ones.
        public let parameters: [Parameter]

        /// Creates a challenge.
        /// - Parameters:
        ///   - scheme: The scheme.
        ///   - token68: The text after it in place of parameters. Defaults to none.
        ///   - parameters: The parameters, in order. Defaults to none.
        public init(scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
            self.scheme = scheme
            self.token68 = token68
            self.parameters = parameters
        }

        /// Returns the value of a parameter; `nil` if there is none.
        ///
        /// A parameter must occur once (RFC 9110 section 11.2); if it is repeated, the last one counts, as in curl.
        public subscript(name: String) -> String? {
            parameters.last { HTTP.FieldSyntax.isSameName($0.name, name) }?.value
        }

        /// Returns whether the challenge has a scheme, compared without regard to case.
        public func isScheme(_ name: String) -> Bool { HTTP.FieldSyntax.isSameName(scheme, name) }

        /// The server's name for the protection space (RFC 9110 section 11.5).
        public var realm: String? { self["realm"] }

        /// Reads the values of one or more fields (RFC 9110 section 11.6.1).
        /// - Parameter values: The value of each field line, in order; each may hold several challenges.
        /// - Throws: A ``FieldError`` with the position of the mistake.
        public static func parse(_ values: [String]) throws(FieldError) -> [Challenge] {
            var challenges: [Challenge] = []
            for value in values {
                var parser = ChallengeParser(value)
                challenges += try parser.challenges()
            }
            return challenges
        }

        /// Reads a list of parameters without a scheme, as in `Authentication-Info` (RFC 9110 section 11.6.3).
        /// - Throws: A ``FieldError`` with the position of the mistake.
        public static func parseParameters(
            _ value: String
        ) throws(FieldError) -> [Parameter] {
            var parser = ChallengeParser(value)
            return try parser.onlyParameters()
        }
    }
}

extension HTTP.Challenge: CustomStringConvertible {
    /// The scheme and the names of the parameters, without their values, which may be secret.
    public var description: String {
        let names = parameters.map(\.name).joined(separator: ", ")
        return names.isEmpty ? scheme : "\(scheme) (\(names))"
    }
}

extension HTTP.Challenge.Parameter: CustomStringConvertible {
    /// The name, without the value, which may be secret.
    public var description: String { name }
}

extension HTTP.Challenge.Parameter: CustomReflectable {
    /// Only the name, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTP.Challenge: CustomReflectable {
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["challenge": description]) }
}

extension HTTP.Headers {
    /// Returns the challenges of a response.
    ///
    /// A malformed field line is ignored as a whole, because its challenges can't be told apart.
    /// - Parameter name: The field. Defaults to `WWW-Authenticate`; a proxy's is `Proxy-Authenticate`.
    public func challenges(in name: String = "WWW-Authenticate") -> [HTTP.Challenge] {
        values(name).flatMap { (try? HTTP.Challenge.parse([$0])) ?? [] }
    }
}
