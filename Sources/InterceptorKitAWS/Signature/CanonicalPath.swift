import InterceptorKit

extension CanonicalWriter {
    /// Appends a path that is percent-encoded as on the wire, with its escapes normalised or encoded a second time.
    mutating func appendPath(_ path: ArraySlice<UInt8>, isEncodedTwice: Bool) {
        let slash = UInt8(ascii: "/")
        guard !path.isEmpty else { return append("/" as Unicode.Scalar) }
        guard isEncodedTwice else { return appendEncodedOnce(path, keeping: slash) }
        for byte in path {
            if byte == slash { append("/" as Unicode.Scalar) } else { appendEncoded(byte) }
        }
    }

    /// Returns a path without empty segments and dot segments (RFC 3986 section 5.2.4), as SigV4 requires for all
    /// services except S3.
    static func normalizedPath(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        let isNormal = !zip(path, path.dropFirst()).contains {
            $0 == slash && ($1 == slash || $1 == dot)
        }
        guard !isNormal else { return path }
        var kept: [ArraySlice<UInt8>] = []
        for segment in path.split(separator: slash) {
            switch Array(segment) {
            case [dot]: continue
            case [dot, dot]: _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        guard !kept.isEmpty else { return [slash] }
        let end = path.last == slash ? [slash] : []
        return kept.reduce(into: []) { $0 += [slash] + $1 } + end
    }
}
