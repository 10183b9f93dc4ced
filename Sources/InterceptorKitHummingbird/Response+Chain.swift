#if Hummingbird
import HTTPTypes
import Hummingbird
import InterceptorKit
import InterceptorKitHTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat

extension Response {
    init(
        _ head: HTTPResponse,
        _ response: HTTP.Response,
        to method: HTTPRequest.Method,
        _ serving: Serving?,
        _ closeWatcher: ConnectionCloseWatcher?
    ) {
        var fields = head.headerFields
        // An interceptor that replaced the content may have kept the old length. A response without content states the
        // length of content that is absent.
        let isHeadAlone = method == .head || response.status == 304
        // A stream's length is unknown: a stated length would cut it short, or make the caller wait.
        if !isHeadAlone, let stated = fields[.contentLength] {
            let length = response.body.length.map { "\($0)" }
            if stated != length { fields[.contentLength] = length }
        }
        // HTTP/2 forbids these fields in a response (RFC 9113 section 8.2.2).
        if serving?.isOnStream == true {
            for name in connectionFields { fields[name] = nil }
        }
        let body = ResponseBody(response.body, closeWatcher)
        self.init(status: head.status, headers: fields, body: body)
    }
}

private let connectionFields =
    [.connection, .transferEncoding, .upgrade]
    + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }

extension ResponseBody {
    fileprivate init(_ body: HTTP.Body, _ closeWatcher: ConnectionCloseWatcher?) {
        if let data = body.inMemory {
            self = data.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(data: data))
        } else if let written = body.takeUnreadStream(as: WrittenBody.self) {
            self = written.original
        } else {
            self.init(contentLength: body.length) { writer in
                let watch = closeWatcher?.onClose { body.cancel() }
                defer { watch?.end() }
                try await body.write(to: &writer)
            }
        }
    }
}

extension HTTP.Body {
    /// Writes the content at the pace of its reader, and cancels it if the reader is gone.
    @concurrent
    fileprivate func write(to writer: inout any ResponseBodyWriter) async throws {
        var count = 0
        do {
            for try await chunk in self {
                count += chunk.count
                guard count <= length ?? count else { break }
                try await writer.write(ByteBuffer(data: chunk))
            }
        } catch {
            cancel()
            throw error
        }
        // The caller was told another length; only closing the connection shows that the body is incomplete.
        guard count == length ?? count else {
            cancel()
            throw HTTP.ContentError(
                .lengthChanged,
                "The content of a response is longer or shorter than its stated length; the connection ends."
            )
        }
        try await writer.finish(try trailers.map { try HTTPFields($0) })
    }
}
#endif
