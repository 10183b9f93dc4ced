import InterceptorKit
import InterceptorKitSigning

extension AWSSignatureV4 {
    /// The unverified parts of a received request's signature.
    struct ParsedSignature {
        let keyID: String
        /// As in `20150830/us-east-1/service/aws4_request`.
        let scope: String
        let time: SigningTimestamp
        /// Joined with semicolons.
        let coveredFields: String
        /// Hexadecimal digits.
        let signature: String
        /// The validity of a presigned URL, in seconds; `nil` for a signature in the field.
        let lifetime: Int?
        let token: String?
        let regionSet: String?

        init(_ request: HTTP.Request, _ scheme: AWSSignatureV4) throws(SignatureVerificationError) {
            let lines = request.headers.values("Authorization")
            let own = lines.filter { $0.begins(with: scheme.algorithmName) }
            let query = request.url.queryParameters
            let isPresigned = query.contains { $0.name == scheme.names.signatureParameter }
            guard isPresigned || !own.isEmpty else {
                throw SignatureVerificationError(
                    .unsigned,
                    message: "The request has no SigV4 signature."
                )
            }
            guard isPresigned ? own.isEmpty : lines.count == 1 else {
                throw .malformed("The request is signed in two places.")
            }
            if isPresigned {
                try self.init(query: query, scheme)
            } else {
                try self.init(field: lines[0], request.headers, scheme)
            }
        }

        private init(
            query: HTTP.Parameters,
            _ scheme: AWSSignatureV4
        ) throws(SignatureVerificationError) {
            let names = scheme.names
            func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
            func single(_ name: String) throws(SignatureVerificationError) -> String {
                let values = all(name)
                guard values.count == 1 else {
                    throw .malformed("The query does not have \(name) once.")
                }
                return values[0]
            }
            guard try single(names.algorithmParameter) == scheme.algorithmName else {
                throw SignatureVerificationError(
                    .algorithm,
                    message: "The signature is of another algorithm."
                )
            }
            let digits = try single(names.expiresField)
            guard 1...6 ~= digits.utf8.count, digits.utf8.allSatisfy({ 48...57 ~= $0 }),
                let seconds = Int(digits)
            else { throw .malformed("\(names.expiresField) is not a number of seconds.") }
            lifetime = seconds
            (keyID, scope) = try Self.parts(of: single(names.credentialParameter))
            time = try Self.time(single(names.dateField))
            coveredFields = try single(names.signedFieldsParameter)
            signature = try single(names.signatureParameter)
            token = all(names.tokenField).isEmpty ? nil : try single(names.tokenField)
            let isAsymmetric = scheme.algorithm == .ecdsaP256SHA256
            regionSet = isAsymmetric ? try single(names.regionSetField) : nil
        }

        private init(
            field: String,
            _ headers: HTTP.Headers,
            _ scheme: AWSSignatureV4
        ) throws(SignatureVerificationError) {
            let names = scheme.names
            func single(_ name: String) throws(SignatureVerificationError) -> String {
                let values = headers.values(name)
                guard values.count == 1 else {
                    throw .malformed("The request does not have the field \(name) once.")
                }
                return values[0]
            }
            guard let value = field.rest(after: scheme.algorithmName + " ") else {
                throw SignatureVerificationError(
                    .algorithm,
                    message: "The signature is of another algorithm."
                )
            }
            var parts: [String: String] = [:]
            for part in value.split(at: ",") {
                let sides = part.split(
                    at: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                guard sides.count == 2,
                    parts.updateValue(
                        String(sides[1]),
                        forKey: HTTP.FieldSyntax.trimmed(String(sides[0]))
                    )
                        == nil
                else { throw .malformed("The field Authorization has a part twice, or no value.") }
            }
            guard parts.count == 3, let credential = parts["Credential"],
                let covered = parts["SignedHeaders"], let signature = parts["Signature"]
            else {
                throw .malformed(
                    "The field Authorization is not of Credential, SignedHeaders and Signature."
                )
            }
            lifetime = nil
            (keyID, scope) = try Self.parts(of: credential)
            if headers.contains(names.dateField) {
                time = try Self.time(single(names.dateField))
            } else {
                // AWS accepts `Date` too; if it is not covered, anyone could have set it.
                let date = try single("Date")
                guard covered.split(at: ";").contains("date") else {
                    throw SignatureVerificationError(.uncovered, message: "It does not cover Date.")
                }
                if let seconds = SigningTimestamp.httpDate(date) {
                    time = SigningTimestamp(seconds: seconds)
                } else {
                    time = try Self.time(date)
                }
            }
            coveredFields = covered
            self.signature = signature
            token = headers.contains(names.tokenField) ? try single(names.tokenField) : nil
            let isAsymmetric = scheme.algorithm == .ecdsaP256SHA256
            regionSet = isAsymmetric ? try single(names.regionSetField) : nil
        }

        private static func parts(
            of credential: String
        ) throws(SignatureVerificationError) -> (keyID: String, scope: String) {
            let parts = credential.split(
                at: "/",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .malformed("The credential has no key and scope.")
            }
            return (String(parts[0]), String(parts[1]))
        }

        private static func time(_ text: String) throws(SignatureVerificationError)
            -> SigningTimestamp
        {
            guard let time = SigningTimestamp(basic: text) else {
                throw .malformed("The signature's time is not valid.")
            }
            return time
        }
    }
}
