import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import TestRun
import TestSupport
import Testing

/// Random numbers that a seed repeats (SplitMix64).
private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    mutating func text(_ characters: String, upTo length: Int) -> String {
        let all = Array(characters)
        return String(
            (0..<Int.random(in: 0...length, using: &self)).map { _ in
                all[Int.random(in: 0..<all.count, using: &self)]
            }
        )
    }
}

@Suite("Signature schemes for random requests", .tags(.slow), .processorBound)
struct SchemePropertyTests {
    private static let schemes: [(String, TemplateScheme)] = [
        ("webhook", .webhook()), ("slack", .slack), ("stripe", .stripe()), ("twilio", .twilio()),
        ("ACS3", .aliyunACS3), ("TC3", .tencentTC3(service: "cvm", signing: ["Content-Type"])),
        ("mobile", .mobileGateway()),
        ("mobile, MD5", .mobileGateway(with: .hash(.md5), as: .hexadecimal)),
        ("OAuth", .oauth1()),
        ("OAuth, query", .oauth1(.hmacSHA256, in: .query)), ("OAuth, form", .oauth1(in: .form)),
        ("OAuth, plain", .oauth1(.plaintext)),
    ]
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private static var context: SigningContext {
        var key = SigningKey(id: "app-1", secret: "secret".utf8)
        key.token = "token"
        return SigningContext(key: key, freshness: SignatureFreshness(date: now, nonce: "00ab17"))
    }

    private static func request(_ chance: inout Chance) -> HTTP.Request {
        let path = chance.text("abz019-._~/%", upTo: 12).replacing("%", with: "%2f")
        let query = chance.text("ab=&+*%", upTo: 16).replacing("%", with: "%7E")
        let form = chance.text("ab=&+*%", upTo: 16).replacing("%", with: "%c3%a9")
        return HTTP.Request(
            .post,
            HTTP.URL("https://h.example/\(raw: path)?\(raw: query)"),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "x-acs-action": "Act",
                "x-amz-note": chance.text("a \tb", upTo: 6), "Operation-Type": "op",
            ],
            body: .text(form)
        )
    }

    @Test("verify their own signatures", arguments: schemes)
    func roundTrip(_ name: String, _ scheme: TemplateScheme) throws {
        var chance = Chance(state: 7)
        for _ in 0..<cases(25, of: 200) {
            let request = Self.request(&chance)

            let signed = try scheme.sign(request, Self.context)

            expectTrue(
                scheme.isGenuine(signed, with: Self.context.key, date: Self.now),
                "\(signed.url.text) \(Array(signed.headers)) \(signed.body.inMemory ?? Data())"
            )
        }
    }

    @Test(
        "refuse a signature by another key or with any byte changed",
        arguments: schemes.filter {
            // Its signature covers nothing but the secrets (RFC 5849 section 3.4.4).
            $0.0 != "OAuth, plain"
        }
    )
    func flips(_ name: String, _ scheme: TemplateScheme) throws {
        var chance = Chance(state: 9)
        let signed = try scheme.sign(Self.request(&chance), Self.context)
        var other = SigningKey(id: "app-1", secret: "secreT".utf8)
        other.token = "token"

        expectTrue(!scheme.isGenuine(signed, with: other, date: Self.now))
        for field in Set(scheme.signatureFields) {
            guard let value = signed.headers[field] else { continue }
            for index in value.utf8.indices {
                // The word before OAuth's elements is one in any case.
                if value.utf8[index...].count > value.utf8.count - 5, value.hasPrefix("OAuth") {
                    continue
                }
                var changed = signed
                var bytes = Array(value.utf8)
                let offset = value.utf8.distance(from: value.utf8.startIndex, to: index)
                bytes[offset] =
                    bytes[offset] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
                changed.headers[field] = String(decoding: bytes, as: UTF8.self)
                expectTrue(
                    !scheme.isGenuine(changed, with: Self.context.key, date: Self.now),
                    "\(name) takes \(field): \(changed.headers[field] ?? "")"
                )
            }
        }
    }

    @Test(
        "refuse a body with any byte changed",
        arguments: schemes.filter {
            $0.0 != "OAuth, plain"
        }
    )
    func content(_ name: String, _ scheme: TemplateScheme) throws {
        let request = HTTP.Request.post(
            "https://h.example/",
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "first=1&second=2"
        )
        let signed = try scheme.sign(request, Self.context)
        let content = Array(signed.body.inMemory ?? Data())

        for index in content.indices {
            var changed = signed
            var bytes = content
            bytes[index] ^= 1
            changed.body = .bytes(bytes)
            expectTrue(
                !scheme.isGenuine(changed, with: Self.context.key, date: Self.now),
                "\(name) takes \(String(decoding: bytes, as: UTF8.self))"
            )
        }
    }

    @Test("sign or refuse any request, and never trap")
    func fuzz() {
        let rounds = fuzzCount ?? cases(1500, of: 20_000)
        var chance = Chance(state: 1)
        let aws = [AWSSignatureV4(service: "s", region: "r"), .s3(region: "r")]
        var signedCount = 0
        for round in 0..<rounds {
            let isWild = round % 3 == 0
            let text = chance.text(
                isWild ? "/?&=%%%.:#aZ~4 \u{e9}[]@+\n\0" : "/?&=.:#aZ~4+",
                upTo: 24
            )
            let start = Int.random(in: 0..<8, using: &chance) == 0 ? "" : "https://h.example/"
            var request = HTTP.Request(
                HTTP.Method(rawValue: isWild ? chance.text("GET \n", upTo: 4) : "GET"),
                HTTP.URL(unvalidated: start + text),
                body: .text(chance.text("a=&%+\u{e9}", upTo: 12))
            )
            request.headers.append(
                name: isWild ? chance.text("xX-amz: \n", upTo: 6) : "x-amz-meta",
                value: chance.text(isWild ? "a \t\u{e9}\r\n" : "a \t\u{e9}", upTo: 8)
            )
            request.headers["Authorization"] = chance.text("OAuth a=\",", upTo: 20)
            request.headers["Stripe-Signature"] = chance.text("t=1,v", upTo: 12)
            if Bool.random(using: &chance) {
                request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            }
            let date = Date(timeIntervalSince1970: Double(bitPattern: chance.next()))
            let context =
                round % 4 == 0
                ? SigningContext(
                    key: Self.context.key,
                    freshness: SignatureFreshness(date: date, nonce: "")
                ) : Self.context
            if (try? aws[round % 2].sign(request, context)) != nil { signedCount += 1 }
            let scheme = Self.schemes[round % Self.schemes.count].1
            _ = scheme.isGenuine(request, with: Self.context.key, date: date)
            guard let signed = try? scheme.sign(request, context) else { continue }
            signedCount += 1
            _ = scheme.isGenuine(signed, with: Self.context.key, date: Self.now)
        }

        expectTrue(signedCount > rounds / 20)
    }
}
