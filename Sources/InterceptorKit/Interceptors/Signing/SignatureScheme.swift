#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a request is signed: what is covered, in which form, and where the signature goes.
///
/// Write one for a server that wants something else; a scheme is a function of values.
public protocol SignatureScheme: Sendable {
    /// Returns the request with its signature added.
    /// - Parameters:
    ///   - request: The request as it will be sent but for the signature.
    ///   - content: The SHA-256 hash of its body, or `nil` if bodies are declared unsigned.
    ///   - key: What to sign with.
    ///   - freshness: What makes this signature unlike any other.
    func sign(
        _ request: HTTP.Request,
        content: [UInt8]?,
        with key: SigningKey,
        _ freshness: SignatureFreshness
    ) throws -> HTTP.Request

    /// The header fields the scheme adds, which are not carried to another origin.
    var signatureFields: [String] { get }

    /// Whether bodies are covered. A scheme that covers them refuses one-shot streams.
    var coversBody: Bool { get }
}

/// What makes a signature unlike any other: when it was made, and a number used once.
public struct SignatureFreshness: Sendable, Hashable {
    /// When the signature is made.
    public let date: Date
    /// A number used once, in hexadecimal digits.
    public let nonce: String

    /// Creates freshness.
    /// - Parameters:
    ///   - date: When the signature is made.
    ///   - nonce: A number used once, in hexadecimal digits.
    public init(date: Date, nonce: String) {
        self.date = date
        self.nonce = nonce
    }

    /// Seconds since 1970, whole.
    public var timestamp: Int { Int(date.timeIntervalSince1970.rounded(.down)) }

    init(_ runtime: Runtime) {
        let words = [runtime.random(), runtime.random()]
        let bytes = words.flatMap { word in
            stride(from: 56, through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: word >> UInt64($0))
            }
        }
        self.init(date: runtime.date, nonce: bytes.hexadecimal)
    }
}
