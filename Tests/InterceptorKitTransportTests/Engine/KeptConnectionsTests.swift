import Expectations
import Testing

@testable import InterceptorKitTransport

@Suite("KeptConnections")
struct KeptConnectionsTests {
    private let host = "a.test:80"

    @Test("has none before a transfer is whole, nor after one is refused")
    func alone() {
        var kept = KeptConnections(perHostLimit: 6)
        func transfer(_ ending: KeptConnections.Ending) -> Bool {
            let atFirst = kept.begin(host)
            return kept.end(host, ending) || atFirst
        }

        let certain = [transfer(.refused), transfer(.failed), transfer(.refused)]
        let afterWhole = [
            transfer(.whole), transfer(.failed), transfer(.refused), transfer(.refused),
        ]

        expectEqual(certain, [false, false, false])
        // A failed transfer says nothing of the connection, which it need not have used.
        expectEqual(afterWhole, [false, true, true, false])
    }

    @Test("tells of transfers that may wait for a connection")
    func waiting() {
        var kept = KeptConnections(perHostLimit: 2)
        var mayWait = [kept.mayWait(host)]

        for _ in 0..<3 {
            _ = kept.begin(host)
            mayWait.append(kept.mayWait(host))
        }
        for _ in 0..<2 {
            _ = kept.end(host, .failed)
            mayWait.append(kept.mayWait(host))
        }

        expectEqual(mayWait, [false, false, true, true, true, false])
        expectTrue(!kept.mayWait("b.test:80"))
    }

    @Test("is sure of nothing while others share the host")
    func sideBySide() {
        var kept = KeptConnections(perHostLimit: 6)
        _ = (kept.begin(host), kept.end(host, .whole))

        let began = [kept.begin(host), kept.begin(host)]
        let refused = [kept.end(host, .refused), kept.end(host, .refused)]
        let later = [kept.begin(host), kept.end(host, .refused), kept.begin(host)]

        expectEqual(began, [true, true])
        expectEqual(refused, [true, true])
        expectEqual(later, [true, true, false])
    }

    @Test("counts a connection that another transfer leaves meanwhile")
    func left() {
        var kept = KeptConnections(perHostLimit: 6)

        let began = [kept.begin(host), kept.begin(host)]
        _ = kept.end(host, .whole)

        expectEqual(began, [false, false])
        expectTrue(kept.end(host, .refused))
    }

    @Test("counts no more than there can be, and expects any beyond its hosts")
    func bounds() {
        var kept = KeptConnections(perHostLimit: 2, hostLimit: 2)
        for _ in 0..<5 { _ = (kept.begin(host), kept.end(host, .whole)) }
        let refused = (0..<3).map { _ in
            let atFirst = kept.begin(host)
            return kept.end(host, .refused) || atFirst
        }
        for number in 0..<2 { _ = (kept.begin("\(number)"), kept.end("\(number)", .whole)) }

        expectEqual(refused, [true, true, false])
        expectTrue(kept.begin("another"))
        expectTrue(kept.begin(host))
    }
}
