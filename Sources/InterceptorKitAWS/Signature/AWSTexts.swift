import InterceptorKit
import InterceptorKitSigning

extension AWSSignatureV4 {
    /// The parts of a request that are signed, for signing and verifying alike.
    struct Texts {
        let scheme: AWSSignatureV4
        let method: HTTP.Method
        let target: CanonicalTarget
        let fields: CanonicalFields
        let payload: PayloadHash
        let time: SigningTimestamp
        /// The names of query parameters that are not covered.
        var uncoveredParameters: [String] = []

        /// Writes the canonical request (AWS, "Create a signed AWS API request", step 1).
        func writeCanonicalRequest(to text: inout CanonicalWriter) {
            text.append(method.rawValue)
            text.append("\n" as Unicode.Scalar)
            text.appendPath(
                scheme.normalizesPath ? CanonicalWriter.normalizedPath(target.path) : target.path,
                isEncodedTwice: scheme.encodesPathTwice
            )
            text.append("\n" as Unicode.Scalar)
            text.appendQuery(target.query, leavingOut: uncoveredParameters)
            text.append("\n" as Unicode.Scalar)
            fields.writeLines(to: &text)
            text.append("\n" as Unicode.Scalar)
            fields.writeNames(to: &text)
            text.append("\n" as Unicode.Scalar)
            switch payload {
            case .stated(let hash): text.append(hash)
            case .digest(let digest): text.appendHexadecimal(digest)
            }
        }

        /// Writes the string to sign (step 3).
        /// - Parameter digest: The canonical request's SHA-256.
        func writeStringToSign(_ digest: HashAlgorithm.Digest, to text: inout CanonicalWriter) {
            text.append(scheme.algorithmName)
            text.append("\n" as Unicode.Scalar)
            text.appendBasic(time)
            text.append("\n" as Unicode.Scalar)
            scheme.write(scope: time, to: &text)
            text.append("\n" as Unicode.Scalar)
            text.appendHexadecimal(digest)
        }

        /// Replaces the text with the string to sign, computed from the canonical request.
        func writeStringToSign(to text: inout CanonicalWriter) {
            text.clear()
            writeCanonicalRequest(to: &text)
            let digest = HashAlgorithm.sha256.hash(text.bytes)
            text.clear()
            writeStringToSign(digest, to: &text)
        }
    }

    /// Writes the scope of a signature, as in `20150830/us-east-1/service/aws4_request`.
    func write(scope time: SigningTimestamp, to text: inout CanonicalWriter) {
        text.appendDay(time)
        if algorithm == .hmacSHA256 {
            text.append("/" as Unicode.Scalar)
            text.append(region)
        }
        text.append("/" as Unicode.Scalar)
        text.append(service)
        text.append("/" as Unicode.Scalar)
        text.append(names.terminator)
    }
}
