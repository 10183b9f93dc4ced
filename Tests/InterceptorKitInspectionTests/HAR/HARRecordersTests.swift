import Expectations
import InterceptorKit
import InterceptorKitInspection
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Archives as other recorders write them")
struct HARRecordersTests {
    /// Archives in the shapes of recorders, made for this test, and what has to be read of each: its entries'
    /// methods, paths and statuses.
    private static let archives: [(recorder: String, json: String, entries: [String])] = [
        (
            "Chrome",
            #"""
            {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[
            {"_connectionId":"1","_initiator":{"type":"script"},"_priority":"High","_resourceType":"fetch",
            "cache":{},"connection":"443","request":{"method":"POST","url":"https://a.example/form","httpVersion":"h3",
            "headers":[{"name":":method","value":"POST"}],"queryString":[],"cookies":[],"headersSize":-1,"bodySize":9,
            "postData":{"mimeType":"application/x-www-form-urlencoded","text":"a=b%20c&d",
            "params":[{"name":"a","value":"b%20c"},{"name":"d","value":""}]}},
            "response":{"status":200,"statusText":"","httpVersion":"h3","headers":[],"cookies":[],
            "content":{"size":8,"mimeType":"application/json","text":"\"\ud83d\""},"redirectURL":"","headersSize":-1,
            "bodySize":-1,"_transferSize":120,"_error":null},"serverIPAddress":"[::1]",
            "startedDateTime":"2026-01-02T03:04:05.678Z","time":1.5,"timings":{"blocked":0.1,"dns":-1,"ssl":-1,
            "connect":-1,"send":0.1,"wait":1.2,"receive":0.1,"_blocked_queueing":0.1}},
            {"request":{"method":"GET","url":"https://a.example/blocked","headers":[],"queryString":[],"cookies":[]},
            "response":{"status":0,"statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{"size":0,
            "mimeType":"x-unknown"},"redirectURL":"","headersSize":-1,"bodySize":-1,
            "_error":"net::ERR_BLOCKED_BY_CLIENT"},"startedDateTime":"2026-01-02T03:04:05.678Z","time":0.1,
            "timings":{"blocked":-1,"dns":-1,"ssl":-1,"connect":-1,"send":0,"wait":0,"receive":0}}]}}
            """#, ["POST /form 200", "GET /blocked 0"]
        ),
        (
            "Firefox",
            #"""
            {"log":{"version":"1.2","creator":{"name":"Firefox","version":"111.0.1"},
            "browser":{"name":"Firefox","version":"111.0.1"},"pages":[{"id":"page_1","pageTimings":{"onLoad":-1}}],
            "entries":[{"pageref":"page_1","startedDateTime":"2026-01-02T03:04:05.678+01:00","request":{"bodySize":0,
            "method":"GET","url":"https://a.example/a.png","httpVersion":"HTTP/2","headers":[],"cookies":[],
            "queryString":[],"headersSize":300},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/2",
            "headers":[],"cookies":[],"content":{"mimeType":"image/png",
            "comment":"Response bodies are not included."},"redirectURL":"","headersSize":20,"bodySize":50},
            "cache":{},"timings":{},"time":0,"_securityState":"secure"},
            {"startedDateTime":"2026-01-02T03:04:05.678+01:00","request":{"method":"POST",
            "url":"https://a.example/up","headers":[],"postData":{"params":[],"text":null}},
            "response":{"headers":[],"cookies":[],"content":{"mimeType":"text/plain","size":null}},
            "cache":null,"timings":{"blocked":null,"send":null,"wait":1,"receive":0},"time":null}]}}
            """#, ["GET /a.png 200", "POST /up 0"]
        ),
        (
            "Safari",
            #"""
            {"log":{"version":"1.2","creator":{"name":"WebKit Web Inspector","version":""},"pages":[],"entries":[
            {"pageref":"page_0","startedDateTime":"2026-01-02T03:04:05.678Z","time":12.5,"request":{"method":"GET",
            "url":"https://a.example/","httpVersion":"","cookies":[],"headers":[{"name":"Accept"},
            {"name":"Host","value":"a.example"}],"queryString":[],"headersSize":-1,"bodySize":-1},"response":
            {"status":304,"statusText":"Not Modified","httpVersion":"","cookies":[],"headers":[],
            "content":{"size":0,"compression":0,"mimeType":null},"redirectURL":null,"headersSize":-1,"bodySize":-1,
            "_fetchType":"Memory Cache"},"cache":{},"timings":{"blocked":-1,"dns":-1,"connect":-1,"ssl":-1,
            "send":1e400,"wait":"2","receive":null}}]}}
            """#, ["GET / 304"]
        ),
        (
            "mitmproxy",
            #"""
            {"log":{"creator":{"name":"mitmproxy","version":"10.1.5","comment":""},"pages":[],"entries":[
            {"startedDateTime":"2026-01-02T03:04:05.678901+00:00","time":5.2,"request":{"method":"PUT",
            "url":"https://a.example/lost","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],
            "headersSize":100,"bodySize":0},"response":{"status":0,"statusText":"","httpVersion":"","headers":[],
            "cookies":[],"content":{},"redirectURL":"","headersSize":-1,"bodySize":-1,"_transferSize":0,
            "_error":"Client disconnected."},"cache":{},"timings":{"connect":-1.0,"ssl":-1.0,"send":0.2,
            "receive":0,"wait":0}}]}}
            """#, ["PUT /lost 0"]
        ),
        (
            "Charles",
            #"""
            {"log":{"version":"1.2","creator":{"name":"Charles Proxy"},"entries":[{"request":{"method":"POST",
            "url":"https://a.example/login","httpVersion":"HTTP/1.1","cookies":[{"name":"a"}],"headers":
            [{"name":"Content-Type","value":"application/x-www-form-urlencoded"}],"queryString":[],"postData":
            {"params":[{"name":"user","value":"é"},{"name":"q","value":"a&b"}]},"headersSize":10,"bodySize":20},
            "response":null,"serverIPAddress":"1.2.3.4","cache":{},"timings":null,"time":"17"}]}}
            """#, ["POST /login 0"]
        ),
    ]

    @Test("are read whole")
    func recorders() throws {
        var refused: [String] = []
        for (recorder, json, entries) in Self.archives {
            let log = try? HAR(json: Data(json.utf8))
            let read = log?.log.entries.map { entry in
                let path = HTTP.URL(unvalidated: entry.request.url).path
                return "\(entry.request.method) \(path) \(entry.response.status)"
            }
            if read != entries || log?.unreadable != [] { refused.append(recorder) }
        }

        print(
            "conformance har: \(Self.archives.count) archives read, \(refused.count) refused"
        )
        expectEqual(refused, [])
    }

    @Test("have bodies made of a form's fields, where they have no text")
    func parameters() throws {
        let archives = try Self.archives.map { try HAR(json: Data($0.json.utf8)) }
        let multipart = HAR.PostData(mimeType: "multipart/form-data; boundary=\"b\"")
        var (whole, partly) = (multipart, multipart)
        whole.params = [
            .init(name: "a", value: "x"),
            .init(name: "f", value: "y", fileName: "f.txt", contentType: "text/plain"),
        ]
        partly.params = [.init(name: "f", value: nil, fileName: "f.bin")]

        func text(_ data: HAR.PostData?) -> String? {
            data?.bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        expectEqual(text(archives[0].log.entries[0].request.postData), "a=b%20c&d")
        expectEqual(text(archives[4].log.entries[0].request.postData), "user=%C3%A9&q=a%26b")
        expectEqual(archives[0].log.entries[0].response.content.text, "\"\u{FFFD}\"")
        expectEqual(
            text(whole),
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\ny\r\n--b--\r\n"
        )
        expectEqual(partly.bytes, nil)
    }
}
