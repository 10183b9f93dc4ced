import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestSupport
import Testing

@Suite("HTTP.ConnectAddress")
struct ConnectAddressTests {
    @Test(
        "keeps an IPv6 address without brackets and writes it with them",
        arguments: [
            (HTTP.ConnectAddress(host: "10.0.0.7", port: 8443), "10.0.0.7", "10.0.0.7:8443"),
            (HTTP.ConnectAddress(host: "::1", port: 8443), "::1", "[::1]:8443"),
            (HTTP.ConnectAddress(host: "[::1]", port: 8443), "::1", "[::1]:8443"),
            (HTTP.ConnectAddress(host: "[FE80::A]", port: 1), "fe80::a", "[fe80::a]:1"),
            (
                HTTP.ConnectAddress(host: "::ffff:10.0.0.7", port: 80), "::ffff:10.0.0.7",
                "[::ffff:10.0.0.7]:80"
            ),
            (
                HTTP.ConnectAddress(host: "Pod-3.db_a.example.", port: 65_535),
                "pod-3.db_a.example.", "pod-3.db_a.example.:65535"
            ),
        ]
    )
    func written(address: HTTP.ConnectAddress, host: String, text: String) throws {
        expectEqual(address.host, host)
        expectEqual(address.description, text)
        try address.validate()
    }

    @Test(
        "takes every form of an IPv6 address",
        arguments: [
            "::", "1::", "::8", "1:2:3:4:5:6:7:8", "1::8", "1:2:3:4:5:6:1.2.3.4", "::255.0.0.1",
        ]
    )
    func addresses(host: String) {
        let address = HTTP.ConnectAddress(host: host, port: 80)

        #expect(throws: Never.self) { try address.validate() }
    }

    @Test("is the same however its host is written")
    func same() {
        let bracketed = HTTP.ConnectAddress(host: "[::A]", port: 1)

        expectEqual(bracketed, HTTP.ConnectAddress(host: "::a", port: 1))
        expectTrue(bracketed != HTTP.ConnectAddress(host: "::a", port: 2))
    }

    @Test(
        "refuses a host that is not valid, or could be read as more than one",
        arguments: [
            "", "[]", "[a]", "[::1", "::1]", "a b", " a", "a\r\nb", "a\n", "a\u{0}", "a:80",
            "a:80:b",
            "cafe:80", ":", ":a:80", "a:80:", ":1:2:", "a,b", "a/b", "a@b", "a%b", "fe80::1%eth0",
            "[::1]:80:[::2]",
            ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::",
            "::g",
            "::1.2.3", "::1.2.3.256", "::1.2.3.4:5", "::1.2.3.", "::ffff:1.00.3.4", "::01.2.3.4",
            "1.2.3.04", "1.2.3", "7", "1:2:3:4:5:6:7:1.2.3.4", ":1::2",
            "1::2:",
            "ä.example", "*", "+a", "-a;b", "a\t",
        ]
    )
    func wrongHost(host: String) {
        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTP.ConnectAddress(host: host, port: 80).validate()
        }

        expectEqual(error?.code, .invalidConnectAddress)
        expectEqual(error?.message.contains("\r"), false)
    }

    @Test("refuses a port out of range", arguments: [0, -1, 65_536, .max, .min])
    func wrongPort(port: Int) {
        let error = #expect(throws: HTTP.RequestError.self) {
            try HTTP.ConnectAddress(host: "10.0.0.7", port: port).validate()
        }

        expectEqual(error?.code, .invalidConnectAddress)
    }

    @Test("is no address by default, and tells calls apart that share an output")
    func call() {
        var call = Call()
        let before = call.connectAddress
        call.connectAddress = HTTP.ConnectAddress(host: "10.0.0.7", port: 80)
        let partition = call.partition
        call.connectAddress = nil

        expectEqual(before, nil)
        expectTrue(partition != Call().partition)
        expectEqual(partition.texts, nil)
        expectEqual(call.partition, Call().partition)
    }

    @Test("goes along with a redirect within the origin, and to no other")
    func redirects() async throws {
        let transport = web([
            "https://a.example/1": .redirect(301, to: "/2"),
            "https://a.example/2": .redirect(302, to: "https://b.example/3"),
            "https://b.example/3": .redirect(302, to: "https://a.example/4"),
        ])
        let pipeline = try Pipeline(transport: transport) { RedirectInterceptor() }
        let address = HTTP.ConnectAddress(host: "10.0.0.7", port: 8443)
        var call = Call()
        call.connectAddress = address
        call.authority = "one"

        let response = try await pipeline.run(.get("https://a.example/1"), call: call)

        expectEqual(response.request?.url, "https://a.example/4")
        expectEqual(transport.sent.map(\.call.connectAddress), [address, address, nil, nil])
        expectEqual(transport.sent.map(\.call.authority), ["one", "one", nil, nil])
    }
}
