import InterceptorKit

extension HTTP.Response {
    /// What a response to a request for the rest means.
    enum RangeResponseKind: Equatable {
        /// It is the rest, of so many bytes.
        case rest(length: Int)
        /// What is here is all there is.
        case nothingMissing
        /// It is all of the content as it is now.
        case all
        /// It may be given later.
        case busy
        /// It is anything else.
        case other
    }

    /// Judges strictly: a server that does not repeat the validator may have ignored `If-Range`, and
    /// what it sends may belong to another version.
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
            // Answered by a server that found the validator true, or it would have ignored the range.
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
