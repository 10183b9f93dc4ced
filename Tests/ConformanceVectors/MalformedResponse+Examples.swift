import Foundation

extension MalformedResponse {
    /// Rows that stand here, so that every clone tries its engines with them.
    package static let examples = [
        // curl's tests 36, 334 and 178.
        MalformedResponse(
            "curl-36 HTTP GET with bad chunked Transfer-Encoding",
            .error,
            "chunk-size is not hexadecimal",
            "HTTP/1.1 200 funky chunky!\r\nServer: fakeit/0.9 fakeitbad/1.0\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: mooo\r\n\r\n"
                + "2\r\na\n\r\nILLEGAL\r\nbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n"
        ),
        MalformedResponse(
            "curl-334 HTTP 204 No content with chunked header",
            .ok,
            "204 never has a body",
            status: 204,
            body: "",
            "HTTP/1.1 204 No Content\r\nDate: Mon, 13 Nov 2000 13:41:09 GMT\r\n"
                + "Server: myown/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        MalformedResponse(
            "curl-178 HTTP response with negative Content-Length",
            .error,
            "negative Content-Length",
            "HTTP/1.1 200 OK\r\nDate: Tue, 09 Nov 2010 14:49:00 GMT\r\nContent-Length: -6\r\n"
                + "Content-Type: text/html\r\nFunny-head: yesyes\r\n\r\nmoooooooooooo\n"
        ),
        // llhttp's test/response/transfer-encoding.md, "Chunk extensions".
        MalformedResponse(
            "llhttp transfer-encoding: Chunk extensions",
            .ok,
            "extensions of chunks mean nothing",
            status: 200,
            body: "hello world",
            "HTTP/1.1 200 OK\r\nHost: localhost\r\nTransfer-encoding: chunked\r\n\r\n"
                + "5;ilovew3;somuchlove=aretheseparametersfor\r\nhello\r\n"
                + "6;blahblah;blah\r\n world\r\n0\r\n\r\n"
        ),
    ]

    private init(
        _ name: String,
        _ expected: Expectation,
        _ why: String,
        status: Int? = nil,
        body: String? = nil,
        _ response: String
    ) {
        self.init(
            name: name,
            expected: expected,
            why: why,
            core: true,
            expected_status: status,
            expected_body: body,
            request_method: nil,
            response_bytes_base64: Data(response.utf8)
        )
    }
}
