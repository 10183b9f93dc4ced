#if JWT
import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import Testing

@testable import InterceptorKitJWT

@Suite("VerificationKey against Wycheproof")
struct VerificationKeyWycheproofTests {
    /// Where the suite says otherwise. Key 7 is weak in a way (ROCA) that its size does not show, and that no peer looks
    /// for. The tokens have another algorithm than their keys name: `PS256`, or `ES521`, which is none.
    private static let differences: Set<String> = [
        "key 7", "signature 346", "signature 347", "signature 350", "signature 351",
    ]

    @Test(
        "makes no key of a secret or a broken key, and tells signatures",
        .tags(.vectors),
        .vectors("crypto/wycheproof")
    )
    func conformance() async throws {
        var result = Conformance("wycheproof-jwk")
        for name in ["key", "signature"] {
            let data = try Vectors.data("crypto/wycheproof/json_web_\(name)_test.json")
            let file = try JSONDecoder().decode(File.self, from: data)
            guard case .array(let groups)? = JSONValue(parsing: data)?.value(at: "testGroups")
            else { throw CancellationError() }
            for (group, tests) in zip(groups, file.testGroups.map(\.tests)) {
                let keys = await keys(of: group)
                for test in tests {
                    let (algorithm, isAccepted) = check(test.jws, by: keys)
                    let isValid = test.result == "valid"
                    let place = "\(name) \(test.tcId)"
                    if isSecret(group) {
                        expectTrue(keys.isEmpty && !isAccepted)
                        result.skip()
                    } else if Self.differences.contains(place) {
                        expectTrue(isAccepted != isValid)
                        result.skip()
                    } else {
                        result.note(isAccepted == isValid, "\(place) \(algorithm) \(test.result)")
                    }
                }
            }
        }

        expectEqual(result.failures, [])
        expectEqual(result.passed + result.skipped, 26 + 401)
        print(result.summary)
    }

    /// Whether all keys of a group are secrets, which verify nothing here.
    private func isSecret(_ group: JSONValue) -> Bool {
        let json = group.value(at: "private")
        let paths = ["keys.1.kty", "keys.0.kty", "kty"]
        return paths.lazy.compactMap { json?.value(at: $0)?.text }.first == "oct"
    }

    private func keys(of group: JSONValue) async -> [VerificationKey] {
        let json = group.value(at: "public") ?? group.value(at: "private") ?? .null
        let list: [JSONValue] =
            if case .array(let list)? = json.value(at: "keys") { list } else { [json] }
        var keys: [VerificationKey] = []
        for case .object(let members) in list {
            if let key = await VerificationKey(members) { keys.append(key) }
        }
        return keys
    }

    private func check(
        _ token: String,
        by keys: [VerificationKey]
    ) -> (algorithm: String, isAccepted: Bool) {
        let parts = token.split(at: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = base64URL(parts[0]),
            let algorithm = JSONValue(parsing: Data(header))?.value(at: "alg")?.text
        else { return ("", false) }
        guard let signature = base64URL(parts[2]) else { return (algorithm, false) }
        let text = Array("\(parts[0]).\(parts[1])".utf8)
        return (algorithm, keys.contains { $0.made(signature, of: text, by: algorithm) })
    }
}

private struct File: Decodable {
    var testGroups: [Group]
}

private struct Group: Decodable {
    var tests: [Case]
}

private struct Case: Decodable {
    var tcId: Int
    var jws: String
    var result: String
}
#endif
