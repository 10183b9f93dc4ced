import InterceptorKit

extension HTTP.Response {
    /// The meaning of a response to a request for the rest.
    enum RangeResponseKind: Equatable {
        /// The rest, with its length in bytes.
        case rest(length: Int)
        /// The received content is complete.
        case nothingMissing
        /// The complete content in its current version.
        case all
        /// A temporary failure.
        case busy
        /// Any other response.
        case other
    }

    /// Interprets the response strictly: a server that does not repeat the validator may have ignored `If-Range`, and
    /// may have sent a part of another version.
    func meaning(
        for version: ContentVersion,
        having count: Int,
        of request: HTTP.Request
    ) -> RangeResponseKind {
        let range = headers["Content-Range"].flatMap(ContentRange.init)
        switch status.code {
        case 206:
            guard case .part(let bytes, of: version.length) = range, bytes.lowerBound == count,
                version.isVersion(of: self, to: request), !isCoded,
                body.length == nil || body.length == bytes.count
            else { return .other }
            return .rest(length: bytes.count)
        case 416:
            // The server found the validator current; otherwise it would have ignored the range.
            let validators = headers.values(version.field)
            guard range == .unsatisfied(of: count), count == version.length,
                validators.isEmpty || validators == [version.validator]
            else { return .other }
            return .nothingMissing
        case 200..<300: return .all
        case 408, 429, 500..<600: return .busy
        default: return .other
        }
    }
}
