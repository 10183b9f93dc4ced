#if AsyncHTTPClient
import AsyncHTTPClient
import InterceptorKit
import NIOCore
import NIOFoundationEssentialsCompat
import NIOHTTP1

/// A request in the engine's terms.
struct OutgoingRequest {
    // A larger body in memory is sent in slices, so that there are never two copies of it.
    private static let largestWholeBody = 1 << 20

    private(set) var request: HTTPClientRequest
    /// A body that is produced while it is sent, to be cancelled when the exchange is over.
    private(set) var stream: RequestBodyStream?

    init(_ request: HTTP.Request, call: Call) async throws {
        try request.url.checkForAsyncHTTPClient()
        self.request = HTTPClientRequest(url: request.url.normalized.text)
        self.request.method = HTTPMethod(rawValue: request.method.rawValue)
        self.request.headers = HTTPHeaders(request.headers)
        try await setBody(request.body, call: call)
    }

    private mutating func setBody(_ body: HTTP.Body, call: Call) async throws {
        if !body.isEmpty { call.onBodySent?(0) }
        if let data = body.inMemory {
            if data.isEmpty { return }
            guard call.onBodySent != nil || data.count > Self.largestWholeBody else {
                request.body = .bytes(ByteBuffer(data: data))
                return
            }
            let slices = RequestBodySlices(data, onSent: call.onBodySent)
            request.body = .stream(slices, length: .known(Int64(data.count)))
            return
        }
        // A file that cannot be read is detected before anything is sent.
        if body.file != nil { _ = try await body.peek(upTo: 1) }
        let stream = RequestBodyStream(body, call: call)
        self.stream = stream
        request.body = .stream(stream, length: body.length.map { .known(Int64($0)) } ?? .unknown)
    }
}

extension HTTPHeaders {
    fileprivate init(_ headers: HTTP.Headers) {
        self.init()
        reserveCapacity(headers.count + 2)
        for field in headers { add(name: field.name, value: field.value) }
    }
}

extension HTTP.URL {
    /// Throws if the engine would send another URL: it encodes a URL with brackets outside of the host as a whole, even
    /// parts that were encoded before.
    fileprivate func checkForAsyncHTTPClient() throws(HTTP.RequestError) {
        guard text.utf8.contains(UInt8(ascii: "[")) || text.utf8.contains(UInt8(ascii: "]")),
            requestTarget.utf8.contains(where: { "[]".utf8.contains($0) })
        else { return }
        throw HTTP.RequestError(
            .invalidURL,
            "AsyncHTTPClient would change \(self). Write the brackets in its path or query as %5B and "
                + "%5D (RFC 3986 section 3.2.2)."
        )
    }
}

extension HTTP.Request {
    /// Returns the request with the field that the engine would otherwise add.
    func acceptingCompression() -> HTTP.Request {
        var request = self
        request.headers.setIfAbsent(name: "Accept-Encoding", value: "gzip, deflate")
        return request
    }
}
#endif
