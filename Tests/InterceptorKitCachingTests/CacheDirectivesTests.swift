import TestRun
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("CacheDirectives", .processorBound)
struct CacheDirectivesTests {
    @Test(
        "reads seconds as in RFC 9111, and takes invalid ones as the strictest",
        arguments: [
            ("max-age=60", 60), ("MAX-AGE=60", 60), (#"max-age="60""#, 60),
            ("max-age=003600", 3600),
            ("max-age=0", 0), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0),
            ("max-age=1.5", 0), ("max-age=6a", 0), ("max-age= 6", 0), (#"max-age="""#, 0),
            (#"max-age=""#, 0), ("max-age=２", 0),
            ("max-age=99999999999999999999", Int.max), ("max-age=60, max-age=30", 30),
            ("max-age=30, max-age=60", 30), (",, max-age=5 ,", 5),
        ]
    )
    func seconds(text: String, expected: Int) {
        #expect(CacheDirectives([text]).maxAge == expected)
    }

    @Test("commas and equals signs within quotes belong to the value")
    func quotes() {
        let directives = CacheDirectives([#"extension="a, max-age=5, \", no-store", max-age=9"#])

        #expect(directives.maxAge == 9)
        #expect(!directives.noStore)
    }

    @Test("no-cache and private name fields only in quotes")
    func fields() {
        let named = CacheDirectives([#"no-cache="Set-Cookie, X", private="Y""#])
        #expect(named.noCacheFields == ["set-cookie", "x"])
        #expect(named.privateFields == ["y"])
        #expect(!named.noCache)
        #expect(!named.isPrivate)

        let bare = CacheDirectives(["no-cache=X", "private"])
        #expect(bare.noCache)
        #expect(bare.isPrivate)
        #expect(bare.noCacheFields.isEmpty)
    }

    @Test("directives of a request are read too")
    func request() {
        #expect(CacheDirectives(["max-stale"]).maxStale == Int.max)
        #expect(CacheDirectives(["max-stale, max-stale=5"]).maxStale == 5)
        #expect(CacheDirectives(["max-stale=5, max-stale"]).maxStale == 5)
        #expect(CacheDirectives(["max-stale=x"]).maxStale == 0)
        #expect(CacheDirectives(["min-fresh=5, min-fresh=9"]).minFresh == 9)
        #expect(CacheDirectives(["min-fresh=x"]).minFresh == Int.max)
        #expect(CacheDirectives(["only-if-cached"]).onlyIfCached)
    }

    @Test("text of any kind is read without trapping")
    func anything() {
        var random = SplitMix64(seed: 7)
        let pieces = [
            "\"", "\\", ",", "=", " ", "\t", "max-age", "no-cache", "9", "é", "\u{0}", "-",
        ]
        for _ in 0..<20_000 {
            let count = Int(random.next() % 12)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            #expect((CacheDirectives([text, text]).maxAge ?? 0) >= 0)
        }
    }
}
