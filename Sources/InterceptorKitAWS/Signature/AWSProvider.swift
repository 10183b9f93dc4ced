import InterceptorKit

extension AWSSignatureV4 {
    /// The names in a signature, because other services use the same scheme under their own names.
    ///
    /// `Provider("xxx", fields: "yyy")` signs as `XXX4-HMAC-SHA256` with `xxx4_request`, and the date goes
    /// into `X-Yyy-Date`, as in curl's `--aws-sigv4 xxx:yyy`.
    public struct Provider: Sendable, Hashable {
        /// Made once, and in one place, since a scheme is copied for each request.
        final class Names: Sendable {
            let prefix: String
            /// The prefix in lower case with its hyphen: what the names of covered fields begin with.
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
        ///   - name: The beginning of the algorithm and the scope, such as `aws`.
        ///   - fields: The part in the names of fields and parameters, such as `amz`. Defaults to the name.
        public init(_ name: String, fields: String? = nil) {
            names = Names(name, "X-" + Self.capitalized(fields ?? name))
        }

        private static func capitalized(_ name: String) -> String {
            name.prefix(1).uppercased() + name.dropFirst().lowercased()
        }

        var isValid: Bool {
            HTTP.FieldSyntax.isToken(names.keyPrefix) && HTTP.FieldSyntax.isToken(names.prefix)
        }

        /// Whether both use the same names.
        public static func == (left: Provider, right: Provider) -> Bool {
            left.names.prefix == right.names.prefix && left.names.keyPrefix == right.names.keyPrefix
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(names.prefix)
            hasher.combine(names.keyPrefix)
        }
    }
}
