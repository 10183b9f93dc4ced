import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HookInterceptor's phases")
struct HookPhasesTests {
    private let recorder = Recorder<String>()

    private func hook(_ name: String) -> HookInterceptor<Int> {
        let recorder = recorder
        return HookInterceptor(
            willPrepare: { _, _ in recorder.note("\(name).willPrepare") },
            before: { _, _ in recorder.note("\(name).before") },
            willSend: { _, call in recorder.note("\(name).willSend \(call.attempt)") },
            didReceive: { _, _, call in recorder.note("\(name).didReceive \(call.attempt)") },
            validate: { _, _, _ in recorder.note("\(name).validate") },
            after: { _, _, _ in recorder.note("\(name).after") }
        )
    }

    @Test("run in the documented order, interleaved across nested containers")
    func order() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            hook("A")
            CompositeInterceptor("outer") {
                hook("B")
                CompositeInterceptor("inner", when: { _, _ in true }) { hook("C") }
            }
            Marker("last", recorder)
        }

        _ = try await pipeline.run(1)

        expectEqual(
            recorder.entries,
            [
                "A.willPrepare", "A.before", "B.willPrepare", "B.before", "C.willPrepare",
                "C.before", "last>", "A.willSend 1", "B.willSend 1", "C.willSend 1",
                "C.didReceive 1", "B.didReceive 1", "A.didReceive 1", "<last", "C.validate",
                "C.after", "B.validate", "B.after", "A.validate", "A.after",
            ]
        )
    }

    @Test("run once a call outside a retry, the sending phases once an attempt")
    func attempts() throws {
        let transport = ScriptedTransport<HTTP.Request>(replies: [.status(503), .status(200)])
        let recorder = recorder
        let counted = HookInterceptor<HTTP.Request>(
            willPrepare: { _, _ in recorder.note("willPrepare") },
            before: { request, _ in
                recorder.note("before")
                request.headers["X-Client"] = "tool"
            },
            willSend: { request, call in
                recorder.note("willSend \(call.attempt) \(request.headers["X-Last"] ?? "unsigned")")
            },
            didReceive: { result, _, call in
                recorder.note("didReceive \(call.attempt) \(try result.get().status.code)")
            },
            validate: { response, _, _ in recorder.note("validate \(response.status.code)") }
        )

        try Simulation.run { simulation in
            let client = try simulation.client(transport) {
                counted
                RetryInterceptor(policy: .steady)
                HookInterceptor<HTTP.Request>(before: { request, call in
                    recorder.note("inside \(call.attempt)")
                    request.headers["X-Last"] = "signed"
                })
            }
            _ = try await client.send(.get(orders))
        }

        expectEqual(
            recorder.entries,
            [
                "willPrepare", "before", "inside 1", "willSend 1 signed", "didReceive 1 503",
                "inside 2", "willSend 2 signed", "didReceive 2 200", "validate 200",
            ]
        )
        expectEqual(transport.sent.map { $0.input.headers["X-Client"] }, ["tool", "tool"])
    }

    @Test("are skipped with the container they are in, the sending phases too")
    func condition() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            CompositeInterceptor(when: { input, _ in input > 1 }) { hook("A") }
            hook("B")
        }

        _ = try await pipeline.run(1)

        expectTrue(!recorder.entries.contains { $0.hasPrefix("A") })
        expectEqual(recorder.entries.count, 6)
    }

    @Test("stop the call when they throw, and the error phase handles it")
    func errors() async throws {
        let recorder = recorder
        func outcome(_ hook: HookInterceptor<Int>) async -> String {
            let pipeline = try? Pipeline(
                transport: Echo<Int> { input, _ in
                    recorder.note("sent")
                    return input
                }
            ) {
                HookInterceptor<Int>(onError: { error, _, _ in
                    recorder.note((error as? Problem)?.text ?? "other")
                    return 7
                })
                hook
            }
            return ((try? await pipeline?.run(1)) ?? 0).description
        }
        let fails: @Sendable (String) throws -> Void = { throw Problem(text: $0) }

        let outputs = [
            await outcome(HookInterceptor(willPrepare: { _, _ in try fails("willPrepare") })),
            await outcome(HookInterceptor(before: { _, _ in try fails("before") })),
            await outcome(HookInterceptor(willSend: { _, _ in try fails("willSend") })),
            await outcome(HookInterceptor(didReceive: { _, _, _ in try fails("didReceive") })),
            await outcome(HookInterceptor(validate: { _, _, _ in try fails("validate") })),
            await outcome(HookInterceptor(after: { _, _, _ in try fails("after") })),
        ]

        expectEqual(outputs, Array(repeating: "7", count: 6))
        expectEqual(
            recorder.entries,
            [
                "willPrepare", "before", "willSend", "sent", "didReceive", "sent",
                "validate", "sent", "after",
            ]
        )
    }

    @Test(
        "that reject a response release its body",
        arguments: ["didReceive", "validate", "after"]
    )
    func discards(phase: String) throws {
        let stream = CountingStream(chunks: 1_000_000)
        let refuse: @Sendable (String) throws -> Void = { if $0 == phase { throw Problem() } }
        let hook = HookInterceptor<HTTP.Request>(
            didReceive: { _, _, _ in try refuse("didReceive") },
            validate: { _, _, _ in try refuse("validate") },
            after: { _, _, _ in try refuse("after") }
        )
        let transport = ScriptedTransport<HTTP.Request>(
            replies: [.status(200, body: .oneShot(stream))]
        )

        #expect(throws: Problem()) {
            try Simulation.run { simulation in
                try await simulation.client(transport) { hook }.send(.get(orders)).status
            }
        }

        expectTrue(stream.cancels >= 1)
        expectTrue(stream.read < 10)
    }
}

/// Whatever throws what, a cancelled call ends with the cancellation itself.
@Suite("HookInterceptor, cancelled")
struct HookCancellationTests {
    enum Phase: String, CaseIterable, Sendable {
        case willPrepare, before, willSend, didReceive, validate, after, onError
    }

    @Test(
        "ends as cancelled from every phase, whatever the phase throws",
        arguments: Phase.allCases
    )
    func everyPhase(phase: Phase) async throws {
        try await onEverySeed(0..<100) { simulation in
            // Waits for the cancellation, and then claims that something else went wrong.
            let runtime = simulation.runtime
            let act: @Sendable (Phase) async throws -> Void = { reached in
                guard reached == phase else { return }
                try? await runtime.sleep(for: .seconds(3600))
                throw Problem(text: "not a cancellation")
            }
            let pipeline = try Pipeline(
                transport: Echo<Int> { input, _ in
                    if phase == .onError { throw Problem() }
                    return input
                },
                runtime: runtime
            ) {
                HookInterceptor<Int>(onError: { _, _, _ in 0 })
                HookInterceptor<Int>(
                    willPrepare: { _, _ in try await act(.willPrepare) },
                    before: { _, _ in try await act(.before) },
                    willSend: { _, _ in try await act(.willSend) },
                    didReceive: { _, _, _ in try await act(.didReceive) },
                    validate: { _, _, _ in try await act(.validate) },
                    after: { _, _, _ in try await act(.after) },
                    onError: { _, _, _ in
                        try await act(.onError)
                        return nil
                    }
                )
            }
            let result = await withTaskGroup { group in
                group.addTask { await Result(of: { try await pipeline.run(1) }) }
                try? await runtime.sleep(for: .seconds(1))
                group.cancelAll()
                return await group.next()
            }

            #expect(throws: CancellationError.self) { try result?.get() }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(of body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
