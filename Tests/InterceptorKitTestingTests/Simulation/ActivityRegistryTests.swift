import Expectations
import Testing

@testable import InterceptorKitTesting

@Suite("ActivityRegistry")
struct ActivityRegistryTests {
    @Test("lists what has begun and not ended, in order of beginning")
    func lists() {
        let registry = ActivityRegistry()
        let entries = ["a", "b", "c"].map { name in registry.begin { name } }

        registry.end(entries[1])
        registry.end(entries[1])
        _ = registry.begin { "d" }

        expectEqual(registry.open, ["a", "c", "d"])
    }

    @Test("ends in the way attached what is open, and nothing else")
    func cancels() {
        let registry = ActivityRegistry()
        let cancelled = Recorded<String>()
        let entries = ["a", "b", "c"].map { name in registry.begin { name } }
        registry.attach({ cancelled.note("a") }, to: entries[0])
        registry.attach({ cancelled.note("b") }, to: entries[1])

        registry.end(entries[1])
        registry.attach({ cancelled.note("late") }, to: entries[1])
        registry.cancelAll()

        expectEqual(cancelled.values, ["a"])
        expectEqual(registry.open, ["a", "c"])
    }

    @Test("describes an entry when it is asked, so that a description may ask too")
    func describesLate() {
        let registry = ActivityRegistry()
        let names = Recorded<String>()
        let inner = registry.begin { "inner" }
        _ = registry.begin {
            registry.end(inner)
            return names.values.joined()
        }

        names.note("late")

        expectEqual(registry.open, ["inner", "late"])
        expectEqual(registry.open, ["late"])
    }
}
