import Expectations
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
        expectEqual(CacheDirectives([text]).maxAge, expected)
    }

    @Test("commas and equals signs within quotes belong to the value")
    func quotes() {
        let directives = CacheDirectives([#"extension="a, max-age=5, \", no-store", max-age=9"#])

        expectEqual(directives.maxAge, 9)
        expectTrue(!directives.noStore)
    }

    @Test("no-cache and private name fields only in quotes")
    func fields() {
        let named = CacheDirectives([#"no-cache="Set-Cookie, X", private="Y""#])
        expectEqual(named.noCacheFields, ["set-cookie", "x"])
        expectEqual(named.privateFields, ["y"])
        expectTrue(!named.noCache)
        expectTrue(!named.isPrivate)

        let bare = CacheDirectives(["no-cache=X", "private"])
        expectTrue(bare.noCache)
        expectTrue(bare.isPrivate)
        expectTrue(bare.noCacheFields.isEmpty)
    }

    @Test("directives of a request are read too")
    func request() {
        expectEqual(CacheDirectives(["max-stale"]).maxStale, Int.max)
        expectEqual(CacheDirectives(["max-stale, max-stale=5"]).maxStale, 5)
        expectEqual(CacheDirectives(["max-stale=5, max-stale"]).maxStale, 5)
        expectEqual(CacheDirectives(["max-stale=x"]).maxStale, 0)
        expectEqual(CacheDirectives(["min-fresh=5, min-fresh=9"]).minFresh, 9)
        expectEqual(CacheDirectives(["min-fresh=x"]).minFresh, Int.max)
        expectTrue(CacheDirectives(["only-if-cached"]).onlyIfCached)
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
            expectTrue((CacheDirectives([text, text]).maxAge ?? 0) >= 0)
        }
    }
}
