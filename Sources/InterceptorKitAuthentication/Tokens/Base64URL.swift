import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Base64 in the alphabet for URLs and without padding (RFC 4648 section 5, RFC 7515 section 2).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Data(bytes).base64EncodedData().compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: digit
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
