import Expectations
import InterceptorKit
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A request as a curl command")
struct CurlCommandTests {
    @Test("has method, URL, fields and body, with secrets hidden")
    func whole() {
        let request = HTTP.Request(
            .put,
            "https://api.example.com/orders?page=[1-3]&sig=abc",
            headers: [
                "Accept": "text/plain", "X-Api-Key": "abc", "Content-Type": "application/json",
            ],
            body: .bytes(Data(#"{"it's":1,"secret":"abc"}"#.utf8))
        )

        expectEqual(
            request.curlCommand(),
            "curl --globoff --path-as-is --request 'PUT' "
                + "--url 'https://api.example.com/orders?page=[1-3]&sig=██' "
                + "--header 'Accept: text/plain' --header 'X-Api-Key: ██' "
                + "--header 'Content-Type: application/json' "
                + #"--data-raw '{"it'\''s":1,"secret":"██"}'"#
        )
    }

    @Test(
        "is short where curl's defaults suffice",
        arguments: [
            (HTTP.Request(.get, orders), "", ""), (HTTP.Request(.head, orders), "--head ", ""),
            (HTTP.Request(.post, orders), "--request 'POST' ", " --header 'Content-Length: 0'"),
        ]
    )
    func methods(request: HTTP.Request, words: String, fields: String) {
        expectEqual(
            request.curlCommand(),
            "curl --globoff --path-as-is \(words)--url 'https://api.example.com/orders'\(fields)"
        )
    }

    @Test("has the client's Content-Type, and control characters by printf")
    func controls() {
        let text = HTTP.Request(.post, orders, body: "-a'%\\\r\n\u{85}").curlCommand()
        let json = HTTP.Request(.post, orders, body: .bytes(Data("{}".utf8))).curlCommand()

        expectEqual(
            text,
            #"printf '\055a'\''%%\\\r\n\302\205' | curl --globoff --path-as-is --request 'POST' "#
                + "--url 'https://api.example.com/orders' "
                + "--header 'Content-Type: text/plain; charset=utf-8' --data-binary @-"
        )
        expectTrue(
            json.hasSuffix("--header 'Content-Type: application/octet-stream' --data-raw '{}'")
        )
    }

    @Test("writes the bytes of a field that are not UTF-8 by printf")
    func fieldBytes() {
        let request = HTTP.Request.get(orders, headers: ["Accept": "é \u{EFEB}%"])

        expectTrue(
            request.curlCommand().hasSuffix(#"--header "$(printf 'Accept: \303\251 \353%%')""#)
        )
    }

    @Test(
        "names a file, and says when it omits a body",
        arguments: [
            (HTTP.Body.file("/tmp/a b"), "--data-binary '@/tmp/a b'"),
            (.file("/tmp/a b", range: 3..<5), "tail -c +4 <'/tmp/a b' | head -c 2 | curl "),
            (.file("-"), "--data-binary '@./-'"),
            (.file("a\u{1B}"), " # without its body: a file whose name has control characters"),
            (.bytes([0, 1]), #"printf '\000\001' | curl "#),
            (.bytes([0xFF]), " # without its body of 1 bytes that cannot be shown"),
            (.bytes(Array(repeating: 97, count: 11)), " # without its body of 11 bytes"),
            (.oneShot(CountingStream(chunks: 1)), " # without its body: one-shot stream"),
        ]
    )
    func bodies(body: HTTP.Body, end: String) {
        let command = HTTP.Request(.post, orders, body: body).curlCommand(bodyLimit: 10)

        expectTrue(command.contains(end), "\(command)")
    }

    @Test("leaves out a body with HEAD, and keeps an empty query")
    func oddities() {
        let head = HTTP.Request(.head, orders, body: "a").curlCommand()
        let query = HTTP.Request(.get, "https://h.example/x?").curlCommand()

        expectTrue(head.hasSuffix(" # without its body, which curl sends with no HEAD"))
        expectTrue(query.hasSuffix("--url 'https://h.example/x?' --request-target '/x?'"))
    }

    @Test("hides the call's credential fields, and writes empty ones for curl")
    func fields() {
        let request = HTTP.Request(.get, orders, headers: ["Date": "today", "Accept": ""])

        let command = request.curlCommand(hiding: ["date"])

        expectTrue(command.hasSuffix("--header 'Date: ██' --header 'Accept;'"))
    }

    @Test("is quoted so that a shell sees only words, for any request")
    func quoting() {
        let request = HTTP.Request(
            HTTP.Method("GET';rm -rf /;'"),
            "https://h/$(id)`id`;'\u{1B}",
            headers: ["Accept": "'; exit"],
            body: .bytes(Data("@file'\n\u{7}".utf8))
        )

        let command = request.curlCommand()

        // Without the quotes that are written as such, every second piece stands between two.
        let outside = command.replacing(#"'\''"#, with: "").split(
            separator: "'",
            omittingEmptySubsequences: false
        ).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined()
        expectTrue(!outside.contains { "$`;\n".contains($0) }, "\(outside)")
        expectTrue(!command.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
