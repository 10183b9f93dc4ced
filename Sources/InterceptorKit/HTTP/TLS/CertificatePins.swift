/// The public keys that hosts may have, in addition to trust in their certificates.
///
/// ```swift
/// var settings = CurlTransport.Settings()
/// settings.tls.pins = [
///     "api.example.com": [keyInUse, nextKey],
///     "**.example.org": [nextKey],
/// ]
/// ```
///
/// A host is written in ASCII, as in `api.example.com`; with `*.` before it, the hosts one label below it are meant; with
/// `**.`, the host itself and all hosts below it. A host to which several apply may have the keys of each; one to which
/// none applies may have any.
///
/// A pin is `sha256/` and the SHA-256 of the public key in Base64, as in OkHttp; `sha256//`, as in curl, is read too.
/// ``pin(ofCertificate:)`` makes it, or openssl:
///
/// ```sh
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der |
///     openssl dgst -sha256 -binary | openssl base64
/// ```
///
/// Pin the key of the next certificate too, which you keep offline: without such a backup, no client reaches the host
/// once its key is replaced.
///
/// `CurlTransport` compares the host's own key; `URLSessionTransport` on Apple's platforms the keys of all certificates
/// that it sends, so there a pin may be an authority's. The other engines have no pins.
public struct CertificatePins: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var pins: [String: [String]] = [:]

    /// Creates pins; ``validate()`` checks them.
    /// - Parameter pins: The pins by host.
    public init(_ pins: [String: [String]] = [:]) {
        for (pattern, keys) in pins { add(keys, for: pattern) }
    }

    /// Creates pins from a literal, in which a host may occur several times.
    public init(dictionaryLiteral elements: (String, [String])...) {
        for (pattern, keys) in elements { add(keys, for: pattern) }
    }

    private mutating func add(_ keys: [String], for pattern: String) {
        let pattern = pattern.lowercased()
        // An unreadable pin stays, so that it is refused or matches nothing.
        pins[pattern.rest(before: ".").map(String.init) ?? pattern, default: []] += keys.map {
            Self.normalized($0) ?? $0
        }
    }

    /// Whether no host is pinned.
    public var isEmpty: Bool { pins.isEmpty }

    /// Returns the pins of which a host must have one, each with `sha256/`; none if the host may have any key.
    public func pins(for host: String) -> [String] {
        let lower = host.lowercased()
        // `example.com.` is the same host.
        let host = lower.rest(before: ".").map(String.init) ?? lower
        return Set(pins.filter { Self.matches(host, $0.key) }.values.joined()).sorted()
    }

    /// Throws an error for the first host, in alphabetical order, that is none or has no valid pins.
    public func validate() throws(SettingError) {
        for (pattern, keys) in pins.sorted(by: { $0.key < $1.key }) {
            let name = HTTP.printable(pattern)
            guard HTTP.URL.host(Self.domain(of: pattern)) == Self.domain(of: pattern) else {
                throw SettingError(
                    "CertificatePins",
                    is: "for \(name)",
                    mustBe: "for a host in ASCII (Punycode), optionally with *. or **. before it"
                )
            }
            let invalid = keys.first { Self.normalized($0) == nil }
            guard !keys.isEmpty, invalid == nil else {
                throw SettingError(
                    "CertificatePins for \(name)",
                    is: invalid.map(HTTP.printable) ?? "empty",
                    mustBe: "sha256/ and the SHA-256 of a public key in Base64, once or more"
                )
            }
        }
    }

    private static func domain(of pattern: String) -> String {
        String(pattern.rest(after: "**.") ?? pattern.rest(after: "*.") ?? pattern[...])
    }

    private static func matches(_ host: String, _ pattern: String) -> Bool {
        if let domain = pattern.rest(after: "**.") {
            return host == domain || host.ends(with: ".\(domain)")
        }
        guard let domain = pattern.rest(after: "*.") else { return host == pattern }
        guard let label = host.rest(before: ".\(domain)") else { return false }
        return !label.isEmpty && !label.holds(".")
    }

    private static func normalized(_ pin: String) -> String? {
        guard var text = pin.rest(after: "sha256/") else { return nil }
        // Base64 may begin with a slash too.
        if text.utf8.count == 45, let rest = text.rest(after: "/") { text = rest }
        guard text.utf8.count == 44, Base64.decode(text.utf8)?.count == 32 else { return nil }
        return "sha256/\(text)"
    }
}

extension CertificatePins {
    /// Returns the pin of a certificate's public key, which all certificates with that key share; `nil` if the bytes are
    /// no certificate (RFC 5280 section 4.1).
    /// - Parameter certificate: The certificate in DER.
    public static func pin(ofCertificate certificate: some Sequence<UInt8>) -> String? {
        var outermost = DERReader(rest: Array(certificate)[...])
        guard var whole = outermost.next(tag: 0x30)?.content,
            var signed = whole.next(tag: 0x30)?.content
        else { return nil }
        // A version that is not the first.
        _ = signed.next(tag: 0xA0)
        // The serial number, and the sequences of the signature's algorithm, issuer, validity and subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard signed.next(tag: tag) != nil else { return nil }
        }
        return signed.next(tag: 0x30).map {
            "sha256/" + Base64.encode(HashAlgorithm.sha256.hash($0.bytes))
        }
    }
}

/// Reads the elements of DER (X.690) one by one.
private struct DERReader {
    var rest: ArraySlice<UInt8>

    /// Returns the next element, with its header and without; `nil` if it has another tag or is cut off.
    mutating func next(tag: UInt8) -> (bytes: ArraySlice<UInt8>, content: DERReader)? {
        var content = rest
        guard content.popFirst() == tag, let first = content.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            // No certificate has 16 MiB.
            let size = Int(first & 0x7F)
            guard 1...3 ~= size, content.count >= size else { return nil }
            length = content.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            content = content.dropFirst(size)
        }
        guard content.count >= length else { return nil }
        content = content.prefix(length)
        defer { rest = rest[content.endIndex...] }
        return (rest[..<content.endIndex], DERReader(rest: content))
    }
}
