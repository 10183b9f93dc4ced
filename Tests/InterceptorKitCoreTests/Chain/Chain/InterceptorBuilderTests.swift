import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("InterceptorBuilder")
struct InterceptorBuilderTests {
    private func sum(_ isOn: Bool, _ amounts: [Int]) throws -> Pipeline<Int> {
        try Pipeline(transport: Echo<Int>()) {
            if isOn { Adding(amount: 1) }
            if isOn {
                Adding(amount: 10)
            } else {
                Adding(amount: 20)
            }
            switch amounts.count {
            case 0: Adding(amount: 100)
            default: Adding(amount: 200)
            }
            for amount in amounts { Adding(amount: amount * 1000) }
            [Adding(amount: 10_000), Adding(amount: 20_000)]
            [AnyInterceptor(Adding(amount: 100_000)), Adding(amount: 200_000)]
                as [any Interceptor<Int>]
        }
    }

    @Test("takes if, else, switch, for, arrays of one type and of several")
    func statements() async throws {
        let on = try await sum(true, [1, 2]).run(0)
        let off = try await sum(false, []).run(0)

        expectEqual(on, 1 + 10 + 200 + 3000 + 30_000 + 300_000)
        expectEqual(off, 20 + 100 + 30_000 + 300_000)
    }

    @Test("throws what an interceptor of it throws as it is made")
    func throwing() {
        struct Unmade: Error {}
        func unmade() throws -> Adding { throw Unmade() }

        #expect(throws: Unmade.self) { try Pipeline(transport: Echo<Int>()) { try unmade() } }
        #expect(throws: Unmade.self) { try CompositeInterceptor<Int> { try unmade() } }
    }

    @Test("takes interceptors within an availability check")
    func availability() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                Adding(amount: 1)
                Adding(amount: 2)
            }
        }

        try await expectEqual(pipeline.run(0), 3)
    }
}
