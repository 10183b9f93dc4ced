import Expectations
import TestSupport
import Testing

@testable import InterceptorKit
@testable import InterceptorKitCaching

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("MemoryEntryTable")
struct ShelfTests {
    private func response(_ id: Int, _ key: CacheKey, variant: Int) -> StoredResponse {
        StoredResponse(
            id: UInt64(id),
            key: key,
            selection: [StoredResponse.Selector(name: "x-any", value: "\(variant)")],
            status: 200,
            headers: ["X-Length": String(repeating: "x", count: id % 7)],
            requestDate: Date(timeIntervalSince1970: 0),
            responseDate: Date(timeIntervalSince1970: 1)
        )
    }

    private func any(
        of model: [UInt64: StoredResponse],
        _ chance: inout SplitMix64
    ) -> StoredResponse? {
        // Sorted, since a dictionary's order differs from run to run.
        model.keys.sorted().randomElement(using: &chance).flatMap { model[$0] }
    }

    @Test("clients that choose the variant can't fill it")
    func variants() {
        var table = MemoryEntryTable()
        let key = CacheKey(url: "https://a.example/")
        for id in 0..<100 { table.insert(response(id, key, variant: id), Data(), 1) }

        let ids = table.list.values.map(\.response.id)
        expectEqual(ids, (36..<100).reversed())
        expectEqual(table.responses(for: key).count, 64)
        expectEqual(table.bytes, 64)
    }

    @Test("counts its bytes and finds its responses after any operations")
    func model() {
        let keys = ["a", "b"].flatMap { url in
            ["", "p"].map { CacheKey(url: url, partition: $0) }
        }
        for seed in 0..<200 as Range<UInt64> {
            var chance = SplitMix64(seed: seed)
            var table = MemoryEntryTable()
            var model: [UInt64: StoredResponse] = [:]
            for id in 0..<80 {
                let key = keys[Int(chance.next() % 4)]
                switch chance.next() % 8 {
                case 0:
                    table.removeAll(for: key.url)
                    model = model.filter { $0.value.key.url != key.url }
                case 1:
                    guard let old = any(of: model, &chance) else { continue }
                    table.remove(old)
                    model[old.id] = nil
                case 2:
                    guard let old = any(of: model, &chance) else { continue }
                    table.update(
                        StoredResponse(
                            id: old.id,
                            key: old.key,
                            selection: old.selection,
                            status: 200,
                            headers: ["X-Later": String(repeating: "x", count: id)],
                            requestDate: old.requestDate,
                            responseDate: old.responseDate
                        )
                    )
                default:
                    let new = response(id, key, variant: Int(chance.next() % 3))
                    table.insert(new, Data(count: id), new.size + id)
                    model = model.filter {
                        $0.value.key != key || $0.value.selection != new.selection
                    }
                    model[new.id] = new
                }

                expectEqual(table.bytes, table.list.values.reduce(0) { $0 + $1.size })
                let found = keys.flatMap { table.responses(for: $0) }.map(\.id)
                expectEqual(found.sorted(), model.keys.sorted())
                expectEqual(table.list.count, model.count)
            }
        }
    }

    @Test("removes what was used longest ago until it is within its bounds")
    func trim() {
        var table = MemoryEntryTable()
        let responses = (0..<6).map { response($0, CacheKey(url: "\($0)"), variant: 0) }
        for response in responses { table.insert(response, Data([1]), 10) }
        expectEqual(table.use(responses[0]), Data([1]))

        table.trim(to: StoreBounds(bytes: 45, entries: 9, entryBytes: 9))
        expectEqual(table.list.values.map(\.response.id), [0, 5, 4, 3])
        table.trim(to: StoreBounds(bytes: 45, entries: 1, entryBytes: 9))
        expectEqual(table.list.values.map(\.response.id), [0])
        expectEqual(table.use(responses[1]), nil)
        table.trim(to: StoreBounds(bytes: 0, entries: 9, entryBytes: 9))
        expectEqual(table.bytes, 0)
    }
}
