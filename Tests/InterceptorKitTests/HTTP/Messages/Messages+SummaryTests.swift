import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("Summaries of messages")
struct MessagesSummaryTests {
    @Test("of a response have status, size and fields, with secrets hidden")
    func response() {
        let response = HTTP.Response(
            404,
            headers: ["Set-Cookie": "id=s3cret", "Vary": "Accept", "vary": "Range"],
            body: "tea"
        )

        let attributes = response.attributes(on: Call())

        expectEqual("\(response.summary(on: Call()))", "404 Not Found")
        expectEqual(attributes["http.response.status_code"], .number(404))
        expectEqual(attributes["http.response.body.size"], .number(3))
        expectEqual(attributes["http.response.header.set-cookie"], .text("██"))
        expectEqual(attributes["http.response.header.vary"], .text("Accept, Range"))
    }

    @Test("hide the call's credential fields, and heed its own redaction")
    func call() {
        let request = HTTP.Request(
            .get,
            "https://h.example/?page=7",
            headers: ["Accept": "a", "User-Agent": "b"]
        )
        var call = Call().credentialFields(adding: ["ACCEPT"])
        call.redaction.hiddenNames.insert("page")

        let attributes = request.attributes(on: call)

        expectEqual(attributes["http.request.header.accept"], .text("██"))
        expectEqual(attributes["http.request.header.user-agent"], .text("b"))
        expectEqual(attributes["url.full"], .text("https://h.example/?page=██"))
        expectEqual(request.summary(on: call), .text("GET https://h.example/?page=██"))
    }

    @Test("have no size of a body whose length is unknown")
    func unknownSize() {
        let body = HTTP.Body.oneShot(CountingStream(chunks: 1))

        let sent = HTTP.Request.post(orders, body: body).attributes(on: Call())
        let received = HTTP.Response(body: body).attributes(on: Call())

        expectEqual(sent["http.request.body.size"], nil)
        expectEqual(received["http.response.body.size"], nil)
    }
}
