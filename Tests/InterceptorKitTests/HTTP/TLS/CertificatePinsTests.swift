import Expectations
import InterceptorKit
import Testing

@Suite("CertificatePins")
struct CertificatePinsTests {
    private let pins = ["A", "B", "C"].map { "sha256/" + String(repeating: $0, count: 43) + "=" }

    // With the cases of OkHttp's CertificatePinnerTest; each host has the pins of which it needs one.
    @Test(
        "apply to a host, the hosts one label below, or all below",
        arguments: [
            ("example.com", "example.com", true), ("example.com", "EXAMPLE.com", true),
            ("Example.com", "example.com.", true), ("example.com.", "example.com", true),
            ("example.com", "a.example.com", false), ("example.com", "com", false),
            ("*.example.com", "a.example.com", true), ("*.example.com", "example.com", false),
            ("*.example.com", "a.b.example.com", false), ("*.example.com", ".example.com", false),
            ("*.example.com", "aexample.com", false),
            ("**.example.co.uk", "example.co.uk", true),
            ("**.example.co.uk", "foo.example.co.uk", true),
            ("**.example.co.uk", "foo.bar.example.co.uk", true),
            ("**.example.co.uk", "foo.bar.baz.example.co.uk", true),
            ("**.example.co.uk", "uk", false), ("**.example.co.uk", "co.uk", false),
            ("**.example.co.uk", "anotherexample.co.uk", false),
            ("**.example.co.uk", "foo.anotherexample.co.uk", false),
            ("**.example.co.uk", "www.example.com", false), ("[::1]", "[::1]", true),
        ]
    )
    func hosts(pattern: String, host: String, applies: Bool) throws {
        let made = CertificatePins([pattern: [pins[0]]])

        try made.validate()
        expectEqual(made.pins(for: host), applies ? [pins[0]] : [])
    }

    @Test("of several entries for a host are all accepted")
    func several() throws {
        let made: CertificatePins = [
            "*.example.com": [pins[0]], "a.example.com": [pins[1]], "A.example.com": [pins[2]],
            "b.example.com": [pins[1], pins[0]],
        ]

        expectEqual(made.pins(for: "a.example.com"), pins)
        expectEqual(made.pins(for: "b.example.com"), [pins[0], pins[1]])
        expectEqual(made.pins(for: "c.example.com"), [pins[0]])
        expectEqual(made.pins(for: "example.com"), [])
        expectEqual(CertificatePins().isEmpty, true)
        expectEqual(made.isEmpty, false)
    }

    @Test("are read as curl writes them, also where Base64 begins with a slash")
    func slashes() {
        let text = "/" + String(repeating: "D", count: 42) + "="
        let made: CertificatePins = ["a": ["sha256/\(text)"], "b": ["sha256//\(text)"]]

        expectEqual(made.pins(for: "a"), ["sha256/\(text)"])
        expectEqual(made.pins(for: "b"), ["sha256/\(text)"])
    }

    @Test(
        "refuse a host that is none, and a pin of another form",
        arguments: [
            ("example.*", "sha256"), ("*", "sha256"), ("**.", "sha256"), ("*.*.example", "sha256"),
            ("a*.example", "sha256"), ("", "sha256"), ("https://a.example", "sha256"),
            ("a.example:443", "sha256"), ("例え.jp", "sha256"),
            ("a.example", "md5/DmxUShsZuNiqPQsX2Oi9uv2sCnw="),
            ("a.example", "sha1/DmxUShsZuNiqPQsX2Oi9uv2sCnw="), ("a.example", "sha256/a"),
            ("a.example", "sha512/" + String(repeating: "A", count: 43) + "="),
            ("a.example", "sha256/" + String(repeating: "*", count: 43) + "="),
            ("a.example", "sha256///" + String(repeating: "A", count: 43) + "="),
            ("a.example", String(repeating: "A", count: 43) + "="), ("a.example", ""),
        ]
    )
    func refused(pattern: String, pin: String) {
        let made = CertificatePins([pattern: [pin == "sha256" ? pins[0] : pin]])

        #expect(throws: SettingError.self) { try made.validate() }
        // Who does not ask is not left without pins.
        expectEqual(made.pins(for: pattern).isEmpty, false)
    }

    @Test("refuse a host without pins")
    func none() {
        let error = #expect(throws: SettingError.self) {
            try CertificatePins(["a.example": []]).validate()
        }

        expectEqual(error?.description.contains("\"a.example\" is empty"), true)
    }

    @Test("are no pins of bytes that are no certificate", arguments: [0, 1, 2, 3, 5, 6, 40])
    func malformed(count: Int) {
        let bytes: [UInt8] = [0x30, 0x82, 0xFF, 0xFF, 0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]

        expectEqual(CertificatePins.pin(ofCertificate: bytes.prefix(count)), nil)
        expectEqual(
            CertificatePins.pin(ofCertificate: Array(repeating: 0x30, count: count)),
            nil
        )
    }
}
