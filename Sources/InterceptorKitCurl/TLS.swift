#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlTransport {
    /// How to trust a server and be trusted by it. A server's certificate and name are always checked.
    public struct TLS: Sendable, Hashable {
        /// Whose certificates to trust. Defaults to the system's.
        public var trust = Trust.system

        /// The certificate to show to a server that asks for one.
        public var clientCertificate: ClientCertificate?

        /// The only public keys accepted, each the SHA-256 of the key in Base64, besides the trust in
        /// the certificate. Empty accepts any.
        public var pinnedPublicKeys: [String] = []

        /// The oldest version accepted. Defaults to 1.2, as RFC 9325 section 3.1.1 has it.
        public var minimumVersion = TLSVersion.v1_2

        /// Creates the default settings.
        public init() {}
    }

    /// Whose certificates to trust.
    public struct Trust: Sendable, Hashable {
        enum Kind: Hashable { case system, file(String), certificates(Data) }

        let kind: Kind

        /// The authorities that libcurl was built to find.
        public static let system = Trust(kind: .system)
        /// The authorities in a PEM file, and no others.
        public static func file(_ path: String) -> Trust { Trust(kind: .file(path)) }
        /// The authorities in PEM text, and no others. Needs libcurl 7.77.
        public static func certificates(_ pem: Data) -> Trust { Trust(kind: .certificates(pem)) }
    }

    /// A certificate with its key, both PEM.
    public struct ClientCertificate: Sendable, Hashable {
        enum Source: Hashable { case file(String), bytes(Data) }

        let certificate: Source
        let key: Source
        let password: String?

        /// A certificate and key in files.
        /// - Parameters:
        ///   - certificate: The path of the certificate, its intermediates after it.
        ///   - key: The path of the key.
        ///   - password: What the key is encrypted with, if it is.
        public static func files(
            certificate: String,
            key: String,
            password: String? = nil
        ) -> ClientCertificate {
            ClientCertificate(
                certificate: .file(certificate),
                key: .file(key),
                password: password
            )
        }

        /// A certificate and key in memory. Needs libcurl 7.71.
        public static func bytes(
            certificate: Data,
            key: Data,
            password: String? = nil
        ) -> ClientCertificate {
            ClientCertificate(
                certificate: .bytes(certificate),
                key: .bytes(key),
                password: password
            )
        }
    }

    /// A version of TLS.
    public struct TLSVersion: Sendable, Hashable {
        let number: Int

        /// TLS 1.2 (RFC 5246).
        public static let v1_2 = TLSVersion(number: 6)
        /// TLS 1.3 (RFC 8446).
        public static let v1_3 = TLSVersion(number: 7)
    }
}

extension CurlTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// Never the key.
    public var description: String { "a client certificate" }

    /// The same, so that `dump` and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
