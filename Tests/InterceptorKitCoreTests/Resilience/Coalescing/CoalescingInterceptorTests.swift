import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("CoalescingInterceptor")
struct CoalescingInterceptorTests {
    @Test("twenty concurrent identical requests are one send, equally answered")
    func identical() async throws {
        let (sends, texts) = try await onEverySeed { simulation in
            let service = try CoalescedService(simulation)
            let texts = try await service.texts(of: Array(repeating: .get(orders), count: 20))
            return (service.transport.sent.count, texts)
        }

        expectEqual(sends, 1)
        expectEqual(texts, Array(repeating: "answer 1", count: 20))
    }

    @Test("different credentials make different requests", arguments: ["Authorization", "Cookie"])
    func credentials(field: String) async throws {
        let sends = try await onEverySeed(0..<200) { simulation in
            let service = try CoalescedService(simulation, ignoring: [field])
            let requests = (0..<20).map { index in
                HTTP.Request.get(orders, headers: HTTP.Headers([(field, "user \(index % 2)")]))
            }
            _ = try await service.texts(of: requests)
            return service.transport.sent.count
        }

        expectEqual(sends, 2)
    }

    @Test("requests differ by method, URL, body and fields, in any case of names")
    func sameness() async throws {
        let sends = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            _ = try await service.texts(of: [
                .get(orders), HTTP.Request(.head, orders), .get("https://api.example.com/orders?a"),
                HTTP.Request(.query, orders, body: "a"), HTTP.Request(.query, orders, body: "b"),
                .get(orders, headers: ["X-Part": "1"]), .get(orders, headers: ["x-part": "1"]),
            ])
            return service.transport.sent.count
        }

        expectEqual(sends, 6)
    }

    @Test("ignored fields don't make requests different")
    func ignored() async throws {
        let sends = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation, ignoring: ["x-request-id"])
            let requests = (0..<5).map {
                HTTP.Request.get(orders, headers: ["X-Request-ID": "\($0)"])
            }
            _ = try await service.texts(of: requests)
            return service.transport.sent.count
        }

        expectEqual(sends, 1)
    }

    @Test("unsafe requests and streamed bodies are sent each time")
    func unsafeRequests() async throws {
        let sends = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            let stream = HTTP.Body.replayable { AsyncStream { $0.finish() } }
            _ = try await service.texts(of: [
                .post(orders), .post(orders), HTTP.Request(.delete, orders),
                HTTP.Request(.delete, orders), HTTP.Request(.query, orders, body: stream),
                HTTP.Request(.query, orders, body: stream),
            ])
            return service.transport.sent.count
        }

        expectEqual(sends, 6)
    }

    @Test("calls with different values that affect the response are not shared")
    func partition() async throws {
        let sends = try await onEverySeed(0..<100) { simulation in
            let service = try CoalescedService(simulation)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        _ = try await service.client.send(.get(orders)) { call in
                            // The first is the default, and so the same as nothing said.
                            if index % 4 == 0 { call.credentialUse = .automatic }
                            if index % 4 == 1 { call.credentialUse = .none }
                            if index % 4 == 2 { call.signsRequest = false }
                        }
                    }
                }
                try await group.waitForAll()
            }
            return service.transport.sent.count
        }

        expectEqual(sends, 3)
    }

    @Test("a call with its own interceptors is sent by itself")
    func ownInterceptors() async throws {
        let (sends, answers) = try await onEverySeed(0..<100) { simulation in
            let service = try CoalescedService(simulation)
            let answers = try await withThrowingTaskGroup(of: String?.self) { group in
                for user in ["a", "a", "b"] {
                    group.addTask {
                        let response = try await service.client.send(.get(orders)) {
                            AnyInterceptor<HTTP.Request>("user") { chain in
                                try await chain.proceed { $0.headers["Authorization"] = user }
                            }
                        }
                        return response.request?.headers["Authorization"] == user ? user : nil
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
                    .sorted()
            }
            return (service.transport.sent.count, answers)
        }

        expectEqual(sends, 3)
        expectEqual(answers, ["a", "a", "b"])
    }

    @Test("nothing is stored: a request after the response is sent again")
    func notStored() async throws {
        let texts = try await onEverySeed(0..<50) { simulation in
            let service = try CoalescedService(simulation)
            let first = try await service.texts(of: [.get(orders), .get(orders)])
            return first + (try await service.texts(of: [.get(orders)]))
        }

        expectEqual(texts, ["answer 1", "answer 1", "answer 2"])
    }

    @Test("a call that joins another's send reports it")
    func event() async throws {
        let joined = try await onEverySeed(0..<50) { simulation in
            let sink = RecordingEventSink()
            let service = try CoalescedService(simulation, events: sink)
            _ = try await service.texts(of: [.get(orders), .get(orders), .get(orders)])
            return sink.names.count { $0 == .coalesced }
        }

        expectEqual(joined, 2)
    }

    @Test("any input whose output is a value can be coalesced")
    func generic() async throws {
        let sends = try await onEverySeed(0..<100) { simulation in
            let sent = Recorder<Int>()
            let transport = Echo<Int> { input, call in
                sent.note(input)
                try await call.runtime.sleep(for: .seconds(1))
                return input * 2
            }
            let pipeline = try Pipeline(transport: transport, runtime: simulation.runtime) {
                CoalescingInterceptor<Int> { CoalescingKey("\($0)") }
            }
            let outputs = try await withThrowingTaskGroup(of: Int.self) { group in
                for input in [1, 2, 1, 2, 1] { group.addTask { try await pipeline.run(input) } }
                return try await group.reduce(0, +)
            }
            expectEqual(outputs, 14)
            return sent.entries.sorted()
        }

        expectEqual(sends, [1, 2])
    }
}
