import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("SendingHooks")
struct SendingHooksTests {
    private let recorder = Recorder<String>()

    @Test("run once for each of two parallel proceeds, in pairs")
    func concurrentPassages() async throws {
        let recorder = recorder
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            HookInterceptor<Int>(
                before: { input, _ in recorder.note("before \(input)") },
                willSend: { input, _ in recorder.note("willSend \(input)") },
                didReceive: { result, input, _ in
                    recorder.note("didReceive \(input) \(try result.get())")
                }
            )
            AnyInterceptor<Int>("twice") { chain in
                async let left = chain.proceed(10)
                async let right = chain.proceed(20)
                return try await left + right
            }
        }

        let sum = try await pipeline.run(1)

        expectEqual(sum, 30)
        expectEqual(recorder.entries.first, "before 1")
        expectEqual(
            recorder.entries.dropFirst().sorted(),
            [
                "didReceive 10 10", "didReceive 20 20", "willSend 10", "willSend 20",
            ]
        )
    }

    @Test("run above the transport in a chain built by one expression")
    func oneOff() async throws {
        let recorder = recorder

        let output = try await InterceptorChain(input: 1, transport: Echo<Int>())
            .add(
                interceptor: HookInterceptor<Int>(willSend: { input, _ in
                    recorder.note("willSend \(input)")
                })
            )
            .add(interceptor: Adding(amount: 4))
            .proceed()

        expectEqual(output, 5)
        expectEqual(recorder.entries, ["willSend 5"])
    }

    @Test("see a failed or cancelled send, and can rename only the failure")
    func receipts() async throws {
        let recorder = recorder
        let renaming = HookInterceptor<Int>(didReceive: { result, _, _ in
            guard case .failure(let error) = result else { return }
            recorder.note("\(type(of: error))")
            throw Problem(text: "renamed")
        })
        func run(_ failure: any Error) async throws {
            let pipeline = try Pipeline(transport: Echo<Int> { _, _ in throw failure }) { renaming }
            _ = try await pipeline.run(1)
        }

        await #expect(throws: Problem(text: "renamed")) { try await run(Problem()) }
        await #expect(throws: CancellationError.self) { try await run(CancellationError()) }
        expectEqual(recorder.entries, ["Problem", "CancellationError"])
    }
}
