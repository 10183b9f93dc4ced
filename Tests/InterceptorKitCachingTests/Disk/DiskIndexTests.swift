import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("DiskIndex")
struct DiskIndexTests {
    private let key = CacheKey(url: "https://example.com/a")
    private let directory = URLDirectory(path: "/directory")

    @Test("trusts a folder's state only if a later change would alter its time")
    func settled() {
        let index = DiskIndex()
        let state = DiskIndex.State(inode: 1, modified: 5_000_000_000)

        for (now, isTrusted) in [
            (5_000_000_000, false), (5_100_000_000, false), (5_100_000_001, true),
            (4_000_000_000, false),
        ] as [(Int64, Bool)] {
            index.keep([.sample()], for: key, on: directory, in: state, at: now)

            expectEqual((index[key]?.state == state), isTrusted, "\(now)")
            expectEqual(index[key]?.directory.path, "/directory")
        }
    }

    @Test("is bounded in size")
    func bounded() {
        let index = DiskIndex()
        let state = DiskIndex.State(inode: 1, modified: 0)
        func key(_ number: Int) -> CacheKey { CacheKey(url: "\(number)") }

        for number in 0...1024 {
            index.keep([], for: key(number), on: directory, in: state, at: 1)
        }

        expectTrue(index[key(1024)] != nil)
        expectTrue((0..<1024).allSatisfy { index[key($0)] == nil })
    }
}
