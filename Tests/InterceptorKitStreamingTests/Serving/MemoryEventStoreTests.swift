import Expectations
import InterceptorKit
import InterceptorKitStreaming
import Testing

@Suite("MemoryEventStore")
struct MemoryEventStoreTests {
    private func filled(_ count: Int, capacity: Int) async throws -> (
        HTTP.MemoryEventStore, [String]
    ) {
        let store = HTTP.MemoryEventStore(capacity: capacity)
        var ids = [try await store.lastEventID()]
        for number in 1...count {
            ids.append(try await store.append(HTTP.ServerSentEvent(data: "\(number)", id: "own")))
        }
        return (store, ids)
    }

    @Test("returns what follows an id, in order and up to the limit")
    func after() async throws {
        let (store, ids) = try await filled(5, capacity: 5)
        let all = try await store.events(after: nil, limit: 10)
        let some = try await store.events(after: ids[2], limit: 2)

        expectEqual(all.map(\.data), ["1", "2", "3", "4", "5"])
        expectEqual(all.compactMap(\.id), Array(ids.dropFirst()))
        expectEqual(some.map(\.data), ["3", "4"])
        try await expectEqual(store.events(after: ids[0], limit: 1).map(\.data), ["1"])
        try await expectTrue(store.events(after: ids[5], limit: 1).isEmpty)
        try await expectEqual(store.events(after: ids[4], limit: .max).map(\.data), ["5"])
        try await expectEqual(store.lastEventID(), ids[5])
    }

    @Test("forgets the oldest, and knows the ids from the last forgotten on")
    func capacity() async throws {
        let (store, ids) = try await filled(8, capacity: 3)

        try await expectEqual(store.events(after: nil, limit: 10).map(\.data), ["6", "7", "8"])
        try await expectEqual(store.events(after: ids[5], limit: 10).map(\.data), ["6", "7", "8"])
        for expired in ids[0...4] {
            await #expect(throws: HTTP.StreamingError.self) {
                try await store.events(after: expired, limit: 1)
            }
        }
    }

    @Test("knows no id that it did not give out")
    func foreign() async throws {
        let (store, ids) = try await filled(3, capacity: 3)
        let (_, others) = try await filled(3, capacity: 3)
        let prefix = ids[3].dropLast()
        let unknown = others + ["", "3", "\(prefix)4", "\(prefix)+1", "\(prefix)01", "\(prefix)-1"]

        for id in unknown {
            let error = await #expect(throws: HTTP.StreamingError.self) {
                try await store.events(after: id, limit: 1)
            }
            expectEqual(error?.code, .unknownID)
        }
    }

    @Test("keeps at least one event")
    func noCapacity() async throws {
        let (store, _) = try await filled(2, capacity: 0)

        try await expectEqual(store.events(after: nil, limit: 0).map(\.data), ["2"])
    }
}
