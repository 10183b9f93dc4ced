import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

@Suite("RecencyList")
struct RecencyListTests {
    @Test("does what a plain list of names would, in any order of operations")
    func model() {
        for seed in 0..<500 {
            var random = SplitMix64(seed: UInt64(seed))
            var list = RecencyList<Int>()
            var places: [Int: Int] = [:]
            var names: [Int] = []
            for name in 0..<60 {
                switch Int(random.next() % 4) {
                case 0, 1:
                    places[name] = list.insert(name)
                    names.insert(name, at: 0)
                case 2:
                    guard let chosen = names.randomElement(using: &random) else { continue }
                    list.use(places[chosen] ?? -1)
                    names.removeAll { $0 == chosen }
                    names.insert(chosen, at: 0)
                default:
                    guard let chosen = names.randomElement(using: &random) else { continue }
                    expectEqual(list.remove(places[chosen] ?? -1), chosen)
                    names.removeAll { $0 == chosen }
                }

                expectEqual(list.values, names)
                expectEqual(list.count, names.count)
                expectEqual(list.oldest.flatMap { list[$0] }, names.last)
            }
        }
    }
}
