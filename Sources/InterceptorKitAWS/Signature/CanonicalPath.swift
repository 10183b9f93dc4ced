import InterceptorKit

extension CanonicalWriter {
    /// Adds a path that is percent-encoded as on the wire: as it is up to the spelling of its escapes,
    /// or encoded once more.
    mutating func appendPath(_ path: ArraySlice<UInt8>, isEncodedTwice: Bool) {
        let slash = UInt8(ascii: "/")
        guard !path.isEmpty else { return append("/" as Unicode.Scalar) }
        guard isEncodedTwice else { return appendEncodedOnce(path, keeping: slash) }
        for byte in path {
            if byte == slash { append("/" as Unicode.Scalar) } else { appendEncoded(byte) }
        }
    }

    /// A path without empty segments and dot segments (RFC 3986 section 5.2.4, and one slash for
    /// several), as SigV4 has it for all services but S3.
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
