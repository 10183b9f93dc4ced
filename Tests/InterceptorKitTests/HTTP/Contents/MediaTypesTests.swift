import Expectations
import Testing

@testable import InterceptorKit

@Suite("Media types")
struct MediaTypesTests {
    @Test("are compared without parameters, in lower case")
    func essence() {
        expectEqual(HTTP.essence(of: " Application/JSON ; charset=UTF-8"), "application/json")
        expectEqual(HTTP.essence(of: ";a=b"), "")
    }

    @Test(
        "match a type, a family or a suffix, and nothing that only resembles it",
        arguments: [
            ("application/json", "application/json", true), ("text/csv", "text/*", true),
            ("application/a+json", "+json", true), ("application/json", "+json", false),
            ("application/a+jsonx", "+json", false), ("textual/csv", "text/*", false),
            ("text", "text/*", false), ("application/jsonx", "application/json", false),
            ("", "application/json", false),
        ]
    )
    func matching(type: String, pattern: String, matches: Bool) {
        expectEqual(HTTP.mediaType(type, matches: pattern), matches)
    }

    @Test(
        "follow from a file's extension, in any case",
        arguments: [
            ("a/order.json", "application/json"), ("photo.v2.JPG", "image/jpeg"),
            ("/x.html", "text/html"),
            ("notes", nil), ("a.json/notes", nil), ("notes.", nil), ("x.unknown", nil), ("", nil),
        ] as [(String, String?)]
    )
    func files(path: String, mediaType: String?) {
        expectEqual(HTTP.mediaType(ofFile: path), mediaType)
    }

    @Test("are all accepted where none is asked for or stated")
    func anything() {
        let silent = HTTP.Response(200)
        let stated = HTTP.Response(200, headers: ["Content-Type": "Text/HTML;a=b"])

        expectTrue(silent.isOne(of: ["text/csv"]))
        expectTrue(stated.isOne(of: []))
        expectTrue(stated.isOne(of: ["text/csv", "text/html"]))
        expectTrue(!stated.isOne(of: ["text/csv"]))
    }
}
