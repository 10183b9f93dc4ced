extension HTTP.Request {
    /// Returns the request with a `Content-Digest` over its body (RFC 9530 section 2).
    /// - Parameter algorithms: The hash functions. Defaults to `sha-256`.
    /// - Throws: ``HTTP/ContentError`` for a one-shot body and for an unknown algorithm; the error of reading the body.
    public func addingContentDigest(
        _ algorithms: [HTTP.DigestAlgorithm] = [.sha256]
    ) async throws -> HTTP.Request {
        var request = self
        let digests = try await body.digests(algorithms)
        request.headers[contentDigest] = try digests.serialized()
        return request
    }
}

extension HTTP.Response {
    /// Returns the response, with a body that is checked against `Content-Digest` while it is read: at its end, reading
    /// throws a ``HTTP/ContentError`` if the bytes don't match.
    ///
    /// The field may also be a trailer field, if `Trailer` announces it. A response to HEAD has no content to check. A
    /// transport that decodes gzip or another coding itself returns other bytes than the server hashed; to prevent
    /// this, send `Accept-Encoding: identity`.
    /// - Parameters:
    ///   - accepted: The algorithms to trust. Defaults to those that withstand attacks.
    ///   - isRequired: Whether to refuse a response without a digest that can be checked. Defaults to `true`.
    /// - Throws: ``HTTP/ContentError``.
    public func verifyingContent(
        accepting accepted: Set<HTTP.DigestAlgorithm> = HTTP.DigestAlgorithm.active,
        isRequired: Bool = true
    ) throws(HTTP.ContentError) -> HTTP.Response {
        if request?.method == .head { return self }
        var response = self
        do throws(HTTP.ContentError) {
            if headers.contains(contentDigest) {
                let digests = try headers.contentDigests(accepted)
                response.body = try body.verified(
                    by: digests,
                    accepting: accepted
                )
            } else if announcesTrailer(contentDigest) {
                let running = try RunningDigests(accepted)
                response.body = body.verified(running) { trailers throws(HTTP.ContentError) in
                    guard isRequired else { return try? trailers?.contentDigests(accepted) }
                    return try (trailers ?? [:]).contentDigests(accepted)
                }
            } else {
                throw .missingDigest
            }
        } catch {
            if isRequired { throw error }
        }
        return response
    }

    private func announcesTrailer(_ name: String) -> Bool {
        (headers["Trailer"] ?? "").split(at: ",").contains {
            HTTP.FieldSyntax.isSameName(HTTP.FieldSyntax.trimmed(String($0)), name)
        }
    }
}

private let contentDigest = "Content-Digest"

extension HTTP.Headers {
    /// Returns the digests of the content, at least one of which is acceptable.
    fileprivate func contentDigests(
        _ accepted: Set<HTTP.DigestAlgorithm>
    ) throws(HTTP.ContentError) -> HTTP.IntegrityDigests {
        guard let text = self[contentDigest] else { throw .missingDigest }
        let digests = try HTTP.IntegrityDigests(parsing: text)
        _ = try digests.acceptable(accepted)
        return digests
    }
}
