import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("PlacementDefinition")
struct PlacementDefinitionTests {
    @Test("names the consequence either stage states, the pair's first")
    func consequences() {
        let meter = Placement("meter", outside: [.retry])
            .consequence(inside: [.retry], "each attempt would be metered as a call")
        let registry = Placement("registry", inside: [.retry, .token])
            .consequence("the registry would miss attempts")
            .consequence(outside: [.token], "the registry would not know the account")

        expectEqual(
            PlacementTrial.refusal(.retry, meter)?.message.contains("would be metered as a call"),
            true
        )
        expectEqual(
            PlacementTrial.refusal(registry, .retry)?.message.contains("would miss attempts"),
            true
        )
        expectEqual(
            PlacementTrial.refusal(registry, .token)?.message.contains("not know the account"),
            true
        )
    }

    @Test("orders stages of your own by each other, through bounds of bounds")
    func bounds() {
        let registry = Placement("registry", inside: [.retry])
        let audit = Placement("audit", inside: [registry])
        let same = Placement("audit", inside: [Placement("registry", inside: [.retry])])

        expectTrue(PlacementTrial.accepts(registry, audit))
        expectEqual(PlacementTrial.refusal(audit, registry)?.code, .order)
        expectEqual(PlacementTrial.refusal(audit, .coalescing)?.code, .order)
        expectEqual(PlacementTrial.refusal(same, registry)?.code, .order)
        expectEqual(same, audit)
        expectTrue(Placement("audit") != audit)
        expectTrue(Placement("retry") != .retry)
    }

    @Test("refuses bounds that contradict each other, by the names of the stages")
    func contradiction() {
        let torn = Placement("audit", inside: [.signing], outside: [.retry])
        let circle = Placement("audit", inside: [.retry], outside: [.retry])
        let above = Placement("above", inside: [torn])

        expectEqual(PlacementTrial.refusal(torn)?.code, .contradiction)
        expectEqual(
            PlacementTrial.refusal(torn)?.message,
            "Marker cannot be ordered: audit is to stand inside signing and outside "
                + "retry, but signing stands inside retry. Change the bounds of its placement."
        )
        expectEqual(
            PlacementTrial.refusal(circle)?.message.contains(
                "is to stand inside retry and outside retry."
            ),
            true
        )
        expectEqual(PlacementTrial.refusal(above)?.code, .contradiction)
    }

    @Test("refuses two stages that each belong inside the other")
    func opposed() {
        let audit = Placement("audit", inside: [.requestPreparation], outside: [.callTelemetry])
        let meter = Placement("meter", inside: [.callTelemetry], outside: [.requestPreparation])

        expectTrue(PlacementTrial.accepts(audit))
        expectTrue(PlacementTrial.accepts(meter))
        expectEqual(PlacementTrial.refusal(audit, meter)?.code, .contradiction)
        expectEqual(PlacementTrial.refusal(meter, audit)?.code, .contradiction)
        expectEqual(
            PlacementTrial.refusal(meter, audit)?.message.contains(
                "each of the stages meter and audit is to stand"
            ),
            true
        )
    }
}
