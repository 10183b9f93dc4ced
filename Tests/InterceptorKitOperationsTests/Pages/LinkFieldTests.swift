import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitOperations

@Suite("LinkField")
struct LinkFieldTests {
    @Test(
        "reads targets and relations",
        arguments: [
            // RFC 8288 section 3.5.
            (
                #"<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter""#,
                [("http://example.com/TheBook/chapter2", ["previous"])]
            ),
            (#"</>; rel="http://example.net/foo""#, [("/", ["http://example.net/foo"])]),
            (
                #"<http://example.org/>; rel="start http://example.net/relation/other""#,
                [("http://example.org/", ["start", "http://example.net/relation/other"])]
            ),
            // GitHub's documentation.
            (
                #"<https://api.github.com/r?page=2>; rel="next", <https://api.github.com/r?page=9>; rel="last""#,
                [
                    ("https://api.github.com/r?page=2", ["next"]),
                    ("https://api.github.com/r?page=9", ["last"]),
                ]
            ),
            (#"</a,b;c> ; title="a, \"b\"; rel=x" ;REL = Next"#, [("/a,b;c", ["next"])]),
            (#"</a>;rel=next;rel=last"#, [("/a", ["next"])]),
            (#"</a>"#, [("/a", [])]),
            (#"nonsense, </a>; rel=next"#, []),
            (#"</a"#, []),
            ("", []),
        ] as [(String, [(String, [String])])]
    )
    func reads(value: String, expected: [(String, [String])]) {
        let links = LinkField.all(in: ["Link": value])

        expectEqual(links.map(\.target), expected.map(\.0))
        expectEqual(links.map(\.relations), expected.map(\.1))
    }

    @Test("are a response's, resolved, with their parameters")
    func links() throws {
        let response = HTTP.Response(
            200,
            headers: [
                "Link":
                    #"<?page=2>; rel=next; title="Two", </other>; rel=last; anchor="/elsewhere""#,
                "link": #"<https://b.example/r?page=9>; REL=Last"#,
            ],
            request: .get("https://a.example/r?page=1")
        )

        expectEqual(response.links.count, 3)
        expectEqual(response.link("Next")?.target, "https://a.example/r?page=2")
        expectEqual(response.link("next")?.parameters.map(\.value), ["Two"])
        expectEqual(response.link("last")?.target, "https://b.example/r?page=9")
        expectEqual(response.links[1].anchor, "https://a.example/elsewhere")
        expectEqual(response.link("prev"), nil)
        expectEqual(
            HTTP.Response(200, headers: ["Link": "</a>; rel=next"]).link("next")?.target,
            "/a"
        )
    }
}
