import InterceptorKit
import InterceptorKitEngine

extension Configuration {
    /// Whether the transport itself requests codings and decodes them.
    ///
    /// A caller that names codings decodes them itself; a range refers to the encoded form (RFC 9110 section 14.2) and
    /// cannot be decoded alone.
    func asksForCodings(_ request: HTTP.Request) -> Bool {
        settings.decodesResponses && !ContentCoding.accepted.isEmpty
            && !request.headers.contains("Accept-Encoding") && !request.headers.contains("Range")
    }
}

extension HTTP.Request {
    func askingForCodings() -> HTTP.Request {
        var request = self
        request.headers.append(name: "Accept-Encoding", value: ContentCoding.accepted)
        return request
    }
}

extension HTTP.Response {
    /// - Parameter isDecoded: Whether to decode the body if its coding is known.
    init(
        _ head: ResponseHead,
        from operation: RequestOperation,
        for request: HTTP.Request,
        isDecoded: Bool
    ) {
        if head.isBodiless(method: request.method) {
            self.init(head.status, headers: head.headers, request: request)
            return
        }
        let names = isDecoded ? head.headers.values("Content-Encoding") : []
        let codings = names.isEmpty ? [] : ContentCoding.list(names.joined(separator: ","))
        let decoders = codings.compactMap(ContentDecoder.init)
        guard !decoders.isEmpty, decoders.count == codings.count else {
            let body =
                if let whole = operation.takeWholeBody() {
                    HTTP.Body.arrived(whole)
                } else {
                    HTTP.Body.oneShot(length: head.length, ResponseBodyStream(operation))
                }
            self.init(head.status, headers: head.headers, body: body, request: request)
            return
        }
        let stream = ResponseBodyStream(operation)
        var headers = head.headers
        // These no longer describe the body that is read.
        headers["Content-Encoding"] = nil
        headers["Content-Length"] = nil
        let decoded = decoders.reversed().reduce(stream as any HTTP.BodyStream) {
            DecodedBodyStream($0, $1, host: operation.host)
        }
        self.init(head.status, headers: headers, body: .oneShot(decoded), request: request)
    }
}
