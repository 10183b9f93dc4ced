import Testing

@testable import InterceptorKitTesting

@Suite("Ledger")
struct LedgerTests {
    @Test("lists what has begun and not ended, in order of beginning")
    func lists() {
        let ledger = Ledger()
        let entries = ["a", "b", "c"].map { name in ledger.begin { name } }

        ledger.end(entries[1])
        ledger.end(entries[1])
        _ = ledger.begin { "d" }

        #expect(ledger.open == ["a", "c", "d"])
    }

    @Test("ends in the way attached what is open, and nothing else")
    func cancels() {
        let ledger = Ledger()
        let cancelled = Recorded<String>()
        let entries = ["a", "b", "c"].map { name in ledger.begin { name } }
        ledger.attach({ cancelled.note("a") }, to: entries[0])
        ledger.attach({ cancelled.note("b") }, to: entries[1])

        ledger.end(entries[1])
        ledger.attach({ cancelled.note("late") }, to: entries[1])
        ledger.cancelAll()

        #expect(cancelled.values == ["a"])
        #expect(ledger.open == ["a", "c"])
    }

    @Test("describes an entry when it is asked, so that a description may ask too")
    func describesLate() {
        let ledger = Ledger()
        let names = Recorded<String>()
        let inner = ledger.begin { "inner" }
        _ = ledger.begin {
            ledger.end(inner)
            return names.values.joined()
        }

        names.note("late")

        #expect(ledger.open == ["inner", "late"])
        #expect(ledger.open == ["late"])
    }
}
