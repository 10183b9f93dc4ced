import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("NetworkInterceptor")
struct NetworkInterceptorTests {
    private struct Sends: Interceptor {
        var times: Int

        func intercept(chain: InterceptorChain<Int>) async throws -> Int {
            var output = 0
            for _ in 0..<times { output += try await chain.proceed() }
            return output
        }
    }

    @Test(
        "reports an interceptor and the rule if it proceeds not exactly once",
        arguments: [0, 2]
    )
    func count(times: Int) async throws {
        let recorder = Recorder<Int>()
        let pipeline = try Pipeline(
            transport: Echo<Int> { input, _ in
                recorder.note(input)
                return input
            }
        ) { Sends(times: times).asNetworkInterceptor() }

        let error = await #expect(throws: ChainError.self) { try await pipeline.run(1) }

        expectEqual(error?.code, .proceedCount)
        expectEqual(
            error?.message,
            "Sends must call proceed exactly once, and called it \(times) times."
        )
        expectEqual(error?.description, error?.message)
        expectEqual(recorder.entries.count, min(times, 1))
    }

    @Test("may change anything but the destination if it proceeds once")
    func once() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            Sends(times: 1).asNetworkInterceptor()
            Adding(amount: 1).asNetworkInterceptor()
        }

        let output = try await pipeline.run(1)

        expectEqual(output, 2)
        expectTrue(pipeline.description.contains("│ Sends\n"))
    }

    @Test(
        "refuses to send to another origin",
        arguments: [
            "http://api.example.com/orders", "https://api.example.com:8443/orders",
            "https://evil.example/",
        ]
    )
    func destination(url: String) throws {
        let error = #expect(throws: ChainError.self) {
            try Simulation.run { simulation in
                let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
                let client = try simulation.client(transport) {
                    AnyInterceptor("detour") { chain in
                        try await chain.proceed { $0.url = HTTP.URL(unvalidated: url) }
                    }.asNetworkInterceptor()
                }
                return try await client.send(.get(orders)).status
            }
        }

        expectEqual(error?.code, .changedAuthority)
        expectEqual(error?.message, "detour must not change the request's host or port.")
    }

    @Test("refuses a changed deadline, which an outer interceptor may change")
    func deadline() throws {
        let (deadlines, code) = try Simulation.run { simulation in
            let transport = ScriptedTransport<HTTP.Request> { _, _ in HTTP.Response() }
            let nearer = AnyInterceptor<HTTP.Request>("nearer") { chain in
                try await chain.proceed(
                    chain.input,
                    call: chain.call.withDeadline(within: .seconds(1))
                )
            }
            let free = try simulation.client(transport) { nearer }
            let bound = try simulation.client(transport) { nearer.asNetworkInterceptor() }
            let plain = try simulation.client(transport) {}
            _ = try await free.send(.get(orders))
            _ = try await plain.send(.get(orders))
            var code: ChainError.Code?
            do {
                _ = try await bound.send(.get(orders))
            } catch let error as ChainError {
                code = error.code
            }
            return (transport.sent.map(\.call.deadline?.offset), code)
        }

        expectEqual(deadlines, [.seconds(1), nil])
        expectEqual(code, .changedDeadline)
    }
}
