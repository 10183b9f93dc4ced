import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes exchanges with secrets at random places that the standard rule hides.
struct PlantedSecrets {
    /// Stands in every secret.
    static let marker = "S3CR3T"

    private var random: SplitMix64
    /// How many secrets were planted.
    private(set) var count = 0
    /// Fields that are shown, and hold a credential this time.
    private(set) var credentialFields: [String] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func secret() -> String {
        count += 1
        return pick(["", "a.b", "=="]) + Self.marker + "\(count)" + pick(["", "-x", "_"])
    }

    private mutating func noise() -> String {
        (0..<Int.random(in: 1...6, using: &random))
            .map { _ in pick(["a", "Z", "7", "token", "é", " ", "\"", "\\", "{", ":", "/", "\n"]) }
            .joined()
    }

    private mutating func spelled(_ name: String) -> String {
        pick([name, name.uppercased(), name.capitalized])
    }

    mutating func request() -> HTTP.Request {
        let (headers, body) = content()
        return HTTP.Request(
            pick([.get, .post, .put, .delete]),
            url(),
            headers: fields(headers),
            body: .bytes(body)
        )
    }

    mutating func response() -> HTTP.Response {
        let (headers, body) = content()
        var fields = fields(headers)
        if chance(40) { fields.append(name: "Set-Cookie", value: "session=\(secret()); Path=/") }
        if chance(40) {
            fields.append(name: pick(["Location", "content-location"]), value: url().text)
        }
        return HTTP.Response(pick([200, 201, 302, 401, 503]), headers: fields, body: .bytes(body))
    }

    private mutating func url() -> HTTP.URL {
        var text = "https://"
        if chance(20) { text += "user:\(secret())@" }
        text += "a.example/orders/\(Int.random(in: 0..<9, using: &random))"
        var pairs: [String] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            if chance(50) {
                var name = spelled(pick(Array(Redaction.standard.hiddenNames).sorted()))
                if chance(30) {
                    name = "%" + String(name.utf8.first ?? 0, radix: 16) + name.dropFirst()
                }
                pairs.append("\(name)=\(secret())")
            } else {
                pairs.append(pick(["page", "q", "x-token-kind"]) + "=" + pick(["1", "a%20b", ""]))
            }
        }
        if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
        if chance(20) { text += "#access_token=\(secret())" }
        return HTTP.URL(unvalidated: text)
    }

    private mutating func fields(_ given: HTTP.Headers) -> HTTP.Headers {
        var fields = given
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let names = [
                "Authorization", "cookie", "X-Api-Key", "proxy-authorization", "X-\(random.next())",
            ]
            fields.append(name: pick(names), value: secret())
        }
        if chance(30) {
            fields.append(name: "User-Agent", value: secret())
            credentialFields = ["user-agent"]
        }
        fields.append(name: "Accept", value: "text/plain")
        return fields
    }

    private mutating func content() -> (HTTP.Headers, Data) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return ([:], Data())
        case 1:
            let names = Redaction.standard.hiddenNames.union(["newPassword", "pin"]).sorted()
            let name = spelled(pick(names))
            let text = "a=1&\(PercentEncoding.encode(name))=\(secret())&note=x%20y"
            return (["Content-Type": "application/x-www-form-urlencoded"], Data(text.utf8))
        case 2:
            let part = "Content-Disposition: form-data; name=\"\(spelled("password"))\""
            let text = "--b\r\n\(part)\r\n\r\n\(secret())\r\n--b--\r\n"
            return (["Content-Type": "multipart/form-data; boundary=b"], Data(text.utf8))
        case 3:
            // Latin-1, so that the file holds it in Base64.
            let text = Data(#"{"n":""#.utf8) + [0xE9] + Data("\",\"token\":\"\(secret())\"}".utf8)
            return (["Content-Type": "application/json"], text)
        default:
            let type = pick(["application/json", "application/problem+json", "text/plain", ""])
            let headers: HTTP.Headers = type.isEmpty ? [:] : ["Content-Type": type]
            return (headers, Data(json(depth: 0).utf8))
        }
    }

    private mutating func json(depth: Int) -> String {
        let blank = pick(["", " ", "\n  "])
        switch Int.random(in: 0..<(depth > 4 ? 2 : 5), using: &random) {
        case 0: return quoted(noise())
        case 1: return pick(["1", "-2.5e3", "true", "null", "[]", "{}"])
        case 2: return "[" + json(depth: depth + 1) + "," + blank + json(depth: depth + 1) + "]"
        case 3:
            let text = quoted(json(depth: depth + 1))
            // As .NET spells quotes within a string.
            return chance(30)
                ? "\"" + text.dropFirst().dropLast().replacing("\\\"", with: "\\u0022") + "\""
                : text
        default:
            var members = [quoted(noise()) + ":" + json(depth: depth + 1)]
            if chance(70) {
                let name = spelled(pick(["token", "client_secret", "refresh-token", "PIN", "jwt"]))
                members.append(quoted(name) + blank + ":" + blank + secretValue())
            }
            members.append("\"last\":" + json(depth: depth + 1))
            return "{" + members.joined(separator: "," + blank) + blank + "}"
        }
    }

    private mutating func secretValue() -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "[{\"a\":\(quoted("]}\"" + secret()))}]"
        case 1: quoted("{\"q\":\"\(secret())\"}")
        default: quoted(noise() + secret() + noise())
        }
    }

    private func quoted(_ text: String) -> String {
        let data = try? JSONEncoder().encode(text)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
