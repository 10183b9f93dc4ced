import CInterceptorKitCurl
import InterceptorKit

/// A content coding (RFC 9110 section 8.4.1) that this system has a decoder for.
struct ContentCoding: Sendable {
    let name: String
    let coding: ikcurl_coding

    private static let all: [ContentCoding] = [
        ContentCoding(name: "gzip", coding: IKCURL_GZIP),
        ContentCoding(name: "deflate", coding: IKCURL_DEFLATE),
        ContentCoding(name: "br", coding: IKCURL_BROTLI),
        ContentCoding(name: "zstd", coding: IKCURL_ZSTD),
    ].filter { ikcurl_can_decode($0.coding) }

    /// The `Accept-Encoding` to send. Empty if there is no decoder.
    static let accepted = all.map(\.name).joined(separator: ", ")

    // libcurl's own limit (MAX_ENCODE_STACK): each coding can make a body a thousand times larger.
    private static let maximumCount = 5

    /// Returns the coding of a name; `nil` for unknown names.
    static func named(_ name: String) -> ContentCoding? {
        let name = name.lowercased()
        return all.first { $0.name == name || (name == "x-gzip" && $0.name == "gzip") }
    }

    /// Returns the codings that a `Content-Encoding` names, in the order in which they were applied; none if one is
    /// unknown, or if there are more than 5.
    static func list(_ value: String) -> [ContentCoding] {
        let names = value.split(at: ",")
        guard names.count <= maximumCount else { return [] }
        let codings = names.compactMap { name in
            let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
            let scalars = name.unicodeScalars.drop(while: isBlank)
            return named(String(scalars.prefix { !isBlank($0) }))
        }
        return codings.count == names.count ? codings : []
    }
}

/// A decoder of zlib, brotli or zstd.
@safe
final class ContentDecoder {
    enum Step {
        case wantsInput
        case wantsOutput
        case ended
        case failed
    }

    // Safety: this object alone has the decoder, from `init` to `deinit`, and the reader of the body alone uses it.
    // `run` reads and writes within the counts it is given.
    private let decoder: OpaquePointer

    init?(_ coding: ContentCoding) {
        guard let decoder = unsafe ikcurl_decoder_make(coding.coding) else { return nil }
        unsafe self.decoder = decoder
    }

    deinit { unsafe ikcurl_decoder_free(decoder) }

    /// Decodes some of the input, no more than fits into the output.
    /// - Returns: The decoder's state, the bytes of input used and the bytes of output made.
    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (step: Step, used: Int, made: Int) {
        var inputLeft = input.count
        var outputLeft = output.count
        let result = unsafe ikcurl_decoder_run(
            decoder,
            input.assumingMemoryBound(to: UInt8.self).baseAddress,
            &inputLeft,
            output.assumingMemoryBound(to: UInt8.self).baseAddress,
            &outputLeft
        )
        let step: Step =
            switch result {
            case IKCURL_WANTS_INPUT: .wantsInput
            case IKCURL_WANTS_OUTPUT: .wantsOutput
            case IKCURL_DECODED: .ended
            default: .failed
            }
        return (step, input.count - inputLeft, output.count - outputLeft)
    }
}
