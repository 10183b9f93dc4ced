import InterceptorKit

extension AWSSignatureV4 {
    /// The names in a signature. Other services use the same scheme with their own names.
    ///
    /// `Provider("xxx", fields: "yyy")` signs as `XXX4-HMAC-SHA256` with `xxx4_request` and the date in `X-Yyy-Date`,
    /// as curl's `--aws-sigv4 xxx:yyy` does.
    public struct Provider: Sendable, Hashable {
        /// A class, because a scheme is copied for each request.
        final class Names: Sendable {
            let prefix: String
            /// The beginning of covered fields' names: the prefix in lower case, with its hyphen.
            let fieldPrefix: String
            let keyPrefix: String
            let terminator: String
            let hmacName: String
            let ecdsaName: String
            let dateField: String
            let contentHashField: String
            let tokenField: String
            let regionSetField: String
            let expiresField: String
            let decodedLengthField: String
            let algorithmParameter: String
            let credentialParameter: String
            let signedFieldsParameter: String
            let signatureParameter: String

            init(_ name: String, _ field: String) {
                prefix = field
                fieldPrefix = field.lowercased() + "-"
                keyPrefix = name.uppercased() + "4"
                terminator = name.lowercased() + "4_request"
                hmacName = keyPrefix + "-HMAC-SHA256"
                ecdsaName = keyPrefix + "-ECDSA-P256-SHA256"
                dateField = field + "-Date"
                contentHashField = field + "-Content-Sha256"
                tokenField = field + "-Security-Token"
                regionSetField = field + "-Region-Set"
                expiresField = field + "-Expires"
                decodedLengthField = field + "-Decoded-Content-Length"
                algorithmParameter = field + "-Algorithm"
                credentialParameter = field + "-Credential"
                signedFieldsParameter = field + "-SignedHeaders"
                signatureParameter = field + "-Signature"
            }
        }

        let names: Names

        /// Amazon: `AWS4`, `aws4_request` and `X-Amz-…`.
        public static let aws = Provider("aws", fields: "amz")

        /// Creates a provider.
        /// - Parameters:
        /// - name: The beginning of the algorithm and of the scope's end, such as `aws`.
        ///   - fields: The prefix in the names of fields and parameters, such as `amz`. Defaults to the name.
        public init(_ name: String, fields: String? = nil) {
            names = Names(name, "X-" + Self.capitalized(fields ?? name))
        }

        private static func capitalized(_ name: String) -> String {
            name.prefix(1).uppercased() + name.dropFirst().lowercased()
        }

        var isValid: Bool {
            HTTP.FieldSyntax.isToken(names.keyPrefix) && HTTP.FieldSyntax.isToken(names.prefix)
        }

        /// Returns whether both use the same names.
        public static func == (left: Provider, right: Provider) -> Bool {
            left.names.prefix == right.names.prefix && left.names.keyPrefix == right.names.keyPrefix
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(names.prefix)
            hasher.combine(names.keyPrefix)
        }
    }
}
