import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitLoadBalancing
import InterceptorKitSharedState
import InterceptorKitTesting
import Synchronization
import Testing

@testable import InterceptorKitEtcd

@Suite("EtcdEndpoints over scripted answers")
struct EtcdEndpointsScriptTests {
    private static let created = #"{"result":{"header":{"revision":"3"},"created":true}}"#

    private static func set(_ value: String) -> HTTP.Response {
        let value = Data(value.utf8).base64EncodedString()
        let entry = #"{"key":"aw==","value":"\#(value)","mod_revision":"3"}"#
        let parts = #"[{"response_range":{"kvs":[\#(entry)]}}]"#
        return HTTP.Response(
            200,
            body: .text(#"{"header":{"revision":"7"},"responses":\#(parts)}"#)
        )
    }

    private static func endpoints(
        of members: [HTTP.URL] = ["https://etcd.example"],
        _ transport: ScriptedTransport<HTTP.Request>,
        _ runtime: Runtime = .live
    ) throws -> EtcdEndpoints {
        let pipeline = try Pipeline(transport: transport, runtime: runtime) {}
        return try EtcdEndpoints("orders/", of: members, pipeline: pipeline, runtime: runtime)
    }

    @Test(
        "reads a URL, or JSON with one",
        arguments: [
            ("https://a.example/v1", "https://a.example/v1", 1, 0),
            (#"{"url":"https://a.example"}"#, "https://a.example", 1, 0),
            (
                #"{"url":"https://a.example","weight":0.5,"priority":2,"zone":"x"}"#,
                "https://a.example", 0.5, 2
            ),
        ] as [(String, HTTP.URL, Double, Int)]
    )
    func values(text: String, url: HTTP.URL, weight: Double, priority: Int) {
        let endpoint = ServiceEndpoint(etcdValue: Data(text.utf8))

        expectEqual(endpoint, ServiceEndpoint(url, weight: weight, priority: priority))
    }

    @Test(
        "skips a value that is no endpoint",
        arguments: [
            "", "a.example", "/v1", "ftp://a.example", "https://", "{}", #"{"url":"/v1"}"#, "[]",
            "7",
            #"{"url":"https://a.example","weight":0}"#,
            #"{"url":"https://a.example","weight":"2"}"#,
            #"{"url":"https://a.example","priority":-1}"#,
        ]
    )
    func noValues(text: String) {
        expectEqual(ServiceEndpoint(etcdValue: Data(text.utf8)), nil)
    }

    @Test("asks for all keys with the prefix, and watches from the next revision")
    func requests() async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            guard request.url.path == "/v3/watch" else { return Self.set("https://a.example") }
            throw TransportError(.cannotConnect, "No.")
        }
        var sets = try Self.endpoints(transport).makeAsyncIterator()
        _ = try await sets.next()
        _ = try? await sets.next()

        var texts: [String] = []
        for sent in transport.sent {
            let data = try await sent.input.body.collect(upTo: 1000)
            texts.append(String(decoding: data, as: UTF8.self))
        }

        // "orders/" and "orders0", the text after all that begin so.
        let range = ["b3JkZXJzLw==", "b3JkZXJzMA=="]
        expectEqual(texts.count, 2)
        expectTrue(texts.allSatisfy { text in range.allSatisfy { text.contains($0) } })
        expectEqual(texts.last?.contains(#""start_revision":"8""#), true)
    }

    @Test(
        "throws when a watch is refused, or ends",
        arguments: [
            (503, "", .unreachable), (200, created, .watchEnded), (200, "", .watchEnded),
            (200, #"{"error":{"grpc_code":14}}"#, .watchEnded),
        ] as [(Int, String, StoreError.Code)]
    )
    func brokenWatch(status: Int, text: String, code: StoreError.Code) async throws {
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            request.url.path == "/v3/watch"
                ? HTTP.Response(HTTP.Status(status), body: .text(text))
                : Self.set("https://a.example")
        }
        var sets = try Self.endpoints(transport).makeAsyncIterator()

        try await expectEqual(sets.next(), ["https://a.example"])
        let error = await #expect(throws: StoreError.self) { try await sets.next() }
        expectEqual(error?.code, code)
    }

    @Test("throws when etcd cancels a watch, though the connection stays open")
    func cancelledWatch() throws {
        let codes = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                guard request.url.path == "/v3/watch" else { return Self.set("https://a.example") }
                let cancelled = #"{"result":{"canceled":true,"compact_revision":"9"}}"#
                return HTTP.Response(200, body: .oneShot(OpenStream([Self.created, cancelled])))
            }
            let endpoints = try Self.endpoints(transport, runtime)
            let codes = Lock<[StoreError.Code?]>([])
            let reading = runtime.start("reader") {
                do {
                    for try await _ in endpoints {}
                } catch {
                    codes.withLock { $0.append((error as? StoreError)?.code) }
                }
            }
            try await runtime.sleep(for: .seconds(1))
            reading.cancel()
            await reading.value
            return codes.withLock(\.self)
        }

        expectEqual(codes, [.watchEnded])
    }

    @Test("watches at the next member when one cannot be reached")
    func nextMember() async throws {
        let reads = Lock(0)
        let transport = ScriptedTransport<HTTP.Request> { request, _ in
            guard request.url.host == "b.example" else {
                throw TransportError(.cannotConnect, "No.")
            }
            guard request.url.path == "/v3/watch" else {
                let number = reads.withLock { reads in
                    reads += 1
                    return reads
                }
                return Self.set("https://\(number).example")
            }
            let body = OpenStream(["\(Self.created)\n", #"{"result":{"eve"#, #"nts":[]}}"#])
            return HTTP.Response(200, body: .oneShot(body))
        }
        let members: [HTTP.URL] = ["https://a.example", "https://b.example"]
        var sets = try Self.endpoints(of: members, transport).makeAsyncIterator()

        try await expectEqual(sets.next(), ["https://1.example"])
        try await expectEqual(sets.next(), ["https://2.example"])
    }

    @Test("reads again after 5 minutes without an event")
    func bound() throws {
        let (reads, cancelled) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let reads = Lock<[Int64]>([])
            let watches = Lock<[OpenStream]>([])
            let transport = ScriptedTransport<HTTP.Request> { request, _ in
                if request.url.path == "/v3/watch" {
                    let body = OpenStream([Self.created])
                    watches.withLock { $0.append(body) }
                    return HTTP.Response(200, body: .oneShot(body))
                }
                reads.withLock { $0.append(runtime.now.offset.components.seconds) }
                return Self.set("https://a.example")
            }
            let endpoints = try Self.endpoints(transport, runtime)
            let reading = runtime.start("reader") {
                do {
                    for try await _ in endpoints {}
                } catch {}
            }
            try await runtime.sleep(for: .seconds(700))
            reading.cancel()
            await reading.value
            return (reads.withLock(\.self), watches.withLock { $0.map(\.isCancelled) })
        }

        expectEqual(reads, [0, 300, 600])
        expectEqual(cancelled, [true, true, true])
    }

    @Test("refuses an invalid setting")
    func settings() throws {
        let pipeline = try Pipeline(transport: ScriptedTransport<HTTP.Request>(replies: [])) {}
        func make(_ prefix: String, _ members: [HTTP.URL], _ timeout: Duration) throws {
            _ = try EtcdEndpoints(prefix, of: members, pipeline: pipeline, timeout: timeout)
        }
        let url: HTTP.URL = "https://etcd.example"

        #expect(throws: SettingError.self) { try make("", [url], .seconds(1)) }
        #expect(throws: SettingError.self) { try make("k", [], .seconds(1)) }
        #expect(throws: SettingError.self) { try make("k", ["nowhere"], .seconds(1)) }
        #expect(throws: SettingError.self) { try make("k", [url], .zero) }
    }
}

/// Hands out chunks at once, and goes on without one until it is cancelled.
private final class OpenStream: HTTP.BodyStream {
    private let chunks: Lock<ArraySlice<String>>
    private let gate = Gate("body")
    private let cancelled = Lock(false)

    init(_ chunks: [String]) { self.chunks = Lock(chunks[...]) }

    var isCancelled: Bool { cancelled.withLock(\.self) }

    func next() async throws -> Data? {
        if let chunk = chunks.withLock({ $0.popFirst() }) { return Data(chunk.utf8) }
        try await gate.pass()
        return nil
    }

    func cancel() {
        cancelled.withLock { $0 = true }
        gate.fail(CancellationError())
    }
}
