import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKitLoadBalancing

@Suite("DNSEndpoints")
struct DNSEndpointsTests {
    private static func source(
        _ url: HTTP.URL = "https://api.example",
        _ runtime: Runtime = .live,
        resolve: @escaping @Sendable (String) async throws -> [String]
    ) -> DNSEndpoints {
        DNSEndpoints(url, every: .seconds(10), runtime: runtime, resolve: resolve)
    }

    /// The addresses of a set, with their ports.
    private static func addresses(_ set: [ServiceEndpoint]?) -> [String]? {
        set?.map { $0.address?.description ?? "none" }
    }

    @Test("has the addresses of localhost, with the URL as it is")
    func localhost() async throws {
        var sets = DNSEndpoints("http://localhost:8080/v1").makeAsyncIterator()

        let set = try await unwrap(sets.next())

        expectTrue(!set.isEmpty)
        expectTrue(Set(set.compactMap(\.address?.host)).isSubset(of: ["127.0.0.1", "::1"]))
        expectTrue(set.allSatisfy { $0.url.text == "http://localhost:8080/v1" })
        expectTrue(set.allSatisfy { $0.address?.port == 8080 && (try? $0.validate()) != nil })
    }

    @Test(
        "takes the port of the URL, or that of its scheme",
        arguments: [
            ("https://api.example", "10.0.0.1:443"), ("http://api.example/v1", "10.0.0.1:80"),
            ("https://api.example:8443", "10.0.0.1:8443"),
        ]
    )
    func port(url: String, address: String) async throws {
        var sets = Self.source(HTTP.URL(unvalidated: url)) { _ in ["10.0.0.1"] }
            .makeAsyncIterator()

        expectEqual(Self.addresses(try await sets.next()), [address])
    }

    @Test("looks up an IPv6 address without its brackets")
    func brackets() async throws {
        var sets = Self.source("http://[::1]:8080") { [$0] }.makeAsyncIterator()

        expectEqual(Self.addresses(try await sets.next()), ["[::1]:8080"])
    }

    @Test("notices a change at the interval, and repeats no equal set")
    func change() throws {
        let seen = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let source = Self.source("https://api.example", runtime) { host in
                expectEqual(host, "api.example")
                switch runtime.now.offset {
                case ..<Duration.seconds(10): return ["10.0.0.2", "10.0.0.1"]
                // The same in another order, and one twice.
                case ..<Duration.seconds(30): return ["10.0.0.1", "10.0.0.2", "10.0.0.1"]
                default: return ["10.0.0.3"]
                }
            }
            let seen = Recorder<String>()
            let reading = runtime.start("reader") {
                do {
                    for try await set in source {
                        let addresses = Self.addresses(set) ?? []
                        seen.note("\(runtime.now.offset.components.seconds) \(addresses)")
                    }
                } catch {
                    seen.note("\(runtime.now.offset.components.seconds) \(type(of: error))")
                }
            }
            try await runtime.sleep(for: .seconds(75))
            reading.cancel()
            await reading.value
            return seen.entries
        }

        expectEqual(
            seen,
            [
                #"0 ["10.0.0.1:443", "10.0.0.2:443"]"#, #"30 ["10.0.0.3:443"]"#,
                "75 CancellationError",
            ]
        )
    }

    @Test("keeps the last set in use while the name has no address")
    func failure() throws {
        let (sets, names) = try Simulation.run { simulation in
            let runtime = simulation.runtime
            let source = Self.source("https://api.example", runtime) { _ in
                switch runtime.now.offset {
                case ..<Duration.seconds(5): return ["10.0.0.1"]
                case ..<Duration.seconds(12): return []
                default: return ["10.0.0.2"]
                }
            }
            let sink = RecordingEventSink()
            let balancer = LoadBalancer([], origins: ["https://api.example"])
            let following = runtime.start("following") {
                try? await balancer.follow(source, runtime: runtime, events: sink)
            }
            var sets: [[String]?] = []
            for _ in 0..<2 {
                try await runtime.sleep(for: .seconds(11))
                sets.append(Self.addresses(balancer.endpoints))
            }
            following.cancel()
            await following.value
            return (sets, sink.names.filter { $0 != .endpointSourceFailed })
        }

        expectEqual(sets, [["10.0.0.1:443"], ["10.0.0.2:443"]])
        expectEqual(names, [.endpointsChanged, .endpointsChanged])
    }

    @Test("throws for a name without an address, and for invalid settings")
    func refusals() async throws {
        var empty = Self.source { _ in [] }.makeAsyncIterator()
        var relative = Self.source("/v1") { _ in ["10.0.0.1"] }.makeAsyncIterator()
        var hasty = DNSEndpoints("https://api.example", every: .zero).makeAsyncIterator()

        let error = await #expect(throws: LoadBalancingError.self) { try await empty.next() }
        expectEqual(error?.code, .nameNotResolved)
        await #expect(throws: HTTP.RequestError.self) { try await relative.next() }
        await #expect(throws: SettingError.self) { try await hasty.next() }
    }
}
