public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CurlTransport {
    /// The settings for TLS. A server's certificate and name are always checked.
    public struct TLS: Sendable, Hashable {
        /// The certificate authorities to trust. Defaults to the system's.
        public var trust = Trust.system

        /// The certificate for servers that ask for one.
        public var clientCertificate: ClientCertificate?

        /// The keys that hosts may have, in addition to trust in their certificates. Defaults to any. They are compared
        /// with a host's own key, not with those of its authorities, and not for a proxy.
        public var pins: CertificatePins = [:]

        /// The oldest accepted version. Defaults to 1.2, as in RFC 9325 section 3.1.1.
        public var minimumVersion = TLSVersion.v1_2

        /// Creates the default settings.
        public init() {}
    }

    /// The certificate authorities to trust.
    public struct Trust: Sendable, Hashable {
        enum Kind: Hashable { case system, file(String), certificates(Data) }

        let kind: Kind

        /// The authorities that libcurl was built to use.
        public static let system = Trust(kind: .system)
        /// Returns only the authorities in a PEM file.
        public static func file(_ path: String) -> Trust { Trust(kind: .file(path)) }
        /// Returns only the authorities in PEM text. Needs libcurl 7.77.
        public static func certificates(_ pem: Data) -> Trust { Trust(kind: .certificates(pem)) }
    }

    /// A certificate with its key, both PEM.
    public struct ClientCertificate: Sendable, Hashable {
        enum Source: Hashable { case file(String), bytes(Data) }

        let certificate: Source
        let key: Source
        let password: String?

        /// Returns a certificate and key in files.
        /// - Parameters:
        ///   - certificate: The path of the certificate, followed by its intermediates.
        ///   - key: The path of the key.
        ///   - password: The password of an encrypted key.
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

        /// Returns a certificate and key in memory. Needs libcurl 7.71.
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
    /// A fixed text, never the key.
    public var description: String { "a client certificate" }

    /// The description, so that `dump` and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["kind": description]) }
}
