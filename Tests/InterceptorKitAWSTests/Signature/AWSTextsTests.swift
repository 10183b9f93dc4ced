import Expectations
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("AWSSignatureV4.Texts")
struct AWSTextsTests: SigV4SigningSuite {
    @Test("signs a query by bytes, also with escapes that aren't UTF-8")
    func bytes() throws {
        let scheme = AWSSignatureV4(service: "service", region: "us-east-1")

        let text = try scheme.explain(.get("https://h.example/?b=%ff&&a&b=%41"), context(key))

        expectEqual(text.canonicalRequest?.split(separator: "\n")[2], "a=&b=%FF&b=A")
    }

    @Test("have the path as the scheme is told to write it")
    func path() throws {
        var scheme = AWSSignatureV4(service: "service", region: "us-east-1")
        func path() throws -> Substring? {
            let request = HTTP.Request.get("https://h.example/a%20b//./c")
            return try scheme.explain(request, context(key)).canonicalRequest?
                .split(separator: "\n")[1]
        }

        try expectEqual(path(), "/a%2520b/c")
        scheme.normalizesPath = false
        try expectEqual(path(), "/a%2520b//./c")
        scheme.encodesPathTwice = false
        try expectEqual(path(), "/a%20b//./c")
    }
}
