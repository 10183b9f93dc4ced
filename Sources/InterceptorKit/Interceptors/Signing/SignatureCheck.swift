/// Compares the sent request with the signed one, because an interceptor below may have changed it.
struct SignatureCheck {
    private let signedRequest: SignedRequest

    init(_ signed: SignedRequest) { signedRequest = signed }

    /// Returns the response, or throws if it refuses a request whose signature a later change broke.
    nonisolated(nonsending) func passed(
        _ response: HTTP.Response,
        _ call: Call
    ) async throws -> HTTP.Response {
        guard let sent = response.request else { return response }
        let changes = changes(in: sent)
        guard !changes.isEmpty else { return response }
        let names = changes.joined(separator: ", ")
        call.emit(.signatureBroken, ["changed": .text(names)])
        guard [400, 401, 403].contains(response.status) else { return response }
        await response.discard(on: call.runtime)
        throw SigningError(
            .changedAfterSigning,
            "The server answered \(response.status) to a request of which the signature covers something "
                + "that was changed after signing: \(names). Put the interceptor that does so above "
                + "SignInterceptor."
        )
    }

    @inline(never)
    private func changes(in sent: HTTP.Request) -> [String] {
        let (signed, scheme) = (signedRequest.request, signedRequest.scheme)
        let hasSameBody = !signedRequest.coversBody || sent.body.length == signed.body.length
        if sent.method == signed.method, sent.url == signed.url, hasSameBody,
            sent.headers == signed.headers
        {
            return []
        }
        var changes: [String] = []
        if sent.method != signed.method { changes.append("the method") }
        if sent.url != signed.url { changes.append("the URL") }
        if !hasSameBody { changes.append("the body") }
        let fields = scheme.coveredFields(of: signed) + scheme.signatureFields
        if sent.headers.starts(with: signed.headers) {
            // Nearly every request comes here, because a transport usually adds a field.
            let added = sent.headers[signed.headers.count...]
            changes += fields.filter { name in
                added.contains { HTTP.FieldSyntax.isSameName($0.name, name) }
            }
        } else {
            changes += fields.filter { sent.headers.values($0) != signed.headers.values($0) }
        }
        return changes
    }
}
