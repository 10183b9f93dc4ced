import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("AuthorityReader")
struct AuthorityReaderTests {
    @Test("reads nothing from an input without an authority")
    func notAddressed() {
        expectEqual(AuthorityReader<Int>()(7), nil)
    }

    @Test("reads each input's own authority, whatever it has read before")
    func many() {
        let authority = AuthorityReader<HTTP.Request>()
        let hosts = (0..<20).map { "https://host\($0).example" }

        for host in hosts + hosts {
            expectEqual(authority(.get(HTTP.URL(unvalidated: host + "/orders"))), host)
        }

        expectEqual(authority(.get("http://host1.example/")), "http://host1.example")
        expectEqual(authority(.get("HTTPS://HOST1.example/")), "https://host1.example")
        expectEqual(authority(.get("https://host1.example:443/")), "https://host1.example")
        expectEqual(authority(.get("https://host1.example:8443/")), "https://host1.example:8443")
        expectEqual(authority(.get("https://host1.example.org/")), "https://host1.example.org")
    }

    @Test("reads inputs that are only Addressed")
    func plain() {
        struct Parcel: AuthorityProviding { let authority: String? }
        let authority = AuthorityReader<Parcel>()

        let read = ["a", "b", nil, "a"].map { authority(Parcel(authority: $0)) }

        expectEqual(read, ["a", "b", nil, "a"])
    }

    @Test("reads the right authority when eight tasks use it first at once")
    func concurrentFirsts() async {
        let authority = AuthorityReader<HTTP.Request>()

        let isRight = await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<1000).allSatisfy { number in
                        let host = "https://host\((task + number) % 12).example"
                        return authority(.get(HTTP.URL(unvalidated: host + "/"))) == host
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }

        expectTrue(isRight)
    }
}
