import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("PartitioningCallKey")
struct PartitioningCallKeyTests {
    private enum Tenant: PartitioningCallKey { static let defaultValue = "none" }
    private enum Account: PartitioningCallKey { static let defaultValue = "none" }
    private enum Region: PartitioningCallKey { static let defaultValue = Place.home }
    private enum Range: PartitioningCallKey { static let defaultValue = 0...1 }
    private enum Trace: CallKey { static let defaultValue = "none" }

    private enum Place: Int { case home = 0, away = 7 }

    @Test("makes calls the same, however the same values were given")
    func same() {
        let first = Call().withValue("acme", for: Tenant.self).withValue(.away, for: Region.self)
        let second = Call().withValue("other", for: Tenant.self).withValue(.away, for: Region.self)
            .withValue("t-1", for: Trace.self).withValue("acme", for: Tenant.self)
        let said = Call().withValue("none", for: Tenant.self)

        expectEqual(first.partition, second.partition)
        expectEqual(first.partition.hashValue, second.partition.hashValue)
        expectEqual(said.partition, Call().partition)
        expectEqual(said.partition.texts, [])
    }

    @Test("tells calls apart by the values, and by the keys of equal values")
    func different() {
        let partitions = [
            Call(), Call().withValue("a", for: Tenant.self),
            Call().withValue("b", for: Tenant.self),
            Call().withValue("a", for: Account.self), Call().withValue(.away, for: Region.self),
        ].map(\.partition)

        expectEqual(Set(partitions).count, partitions.count)
        expectEqual(Set(partitions.map(\.texts)).count, partitions.count)
    }

    @Test("has texts in an order that doesn't depend on that of the values")
    func texts() throws {
        let call = Call().withValue("a", for: Tenant.self).withValue(.away, for: Region.self)
        let turned = Call().withValue(.away, for: Region.self).withValue("a", for: Tenant.self)

        let texts = try unwrap(call.partition.texts)

        expectEqual(texts, turned.partition.texts)
        expectTrue(texts.contains { $0.hasSuffix("Region 7") })
        expectTrue(texts.contains { $0.hasSuffix("Tenant a") })
    }

    @Test("has no texts if a value has none that no other equals")
    func withoutText() {
        let call = Call().withValue("a", for: Tenant.self).withValue(2...3, for: Range.self)

        expectEqual(call.partition.texts, nil)
        expectTrue(call.partition != Call().withValue("a", for: Tenant.self).partition)
    }
}
