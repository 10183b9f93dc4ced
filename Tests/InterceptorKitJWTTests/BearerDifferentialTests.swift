#if JWT
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitJWT
import InterceptorKitTesting
import TestRun
import Testing

private let generated = ProcessInfo.processInfo.environment["INTERCEPTORKIT_BEARER"]

@Suite("Access tokens against other implementations", .tags(.vectors), .processorBound)
struct BearerDifferentialTests {
    private struct Setting: Decodable {
        let keys: String
        let issuer: String
        let audience: String
        let algorithms: Set<String>
        let now: Int
        let leeway: Int
    }

    private struct Row: Decodable {
        let kind: String
        let token: String
        let isValid: Bool
        /// Who of the other implementations accepts it, of two.
        let accepting: [String]
        /// Why it is refused here, where another implementation accepts it.
        let stricter: String?
        /// Why it is accepted here, where another implementation refuses it or a specification does not ask for that.
        let looser: String?

        /// Says so if this side's result is not one that the row allows; counts what is a difference by name.
        func difference(_ refusal: String?, _ named: inout [String: Int]) -> String? {
            let isExpected: Bool
            if refusal == nil {
                isExpected = isValid && accepting.count == 2
                if !isExpected, let looser { named["looser: \(looser)", default: 0] += 1 }
                if isExpected || looser != nil { return nil }
            } else {
                isExpected = !isValid && accepting.isEmpty
                if !isExpected, let stricter { named["stricter: \(stricter)", default: 0] += 1 }
                if isExpected || (stricter != nil && !isValid) { return nil }
            }
            let others = accepting.isEmpty ? "nobody" : accepting.joined(separator: " and ")
            return "differs: \(kind): \(refusal ?? "accepted"), and \(others) of two accepts it: "
                + token.prefix(500)
        }
    }

    @Test(
        "accepts and refuses random tokens as PyJWT and joserfc do",
        .enabled(
            if: generated != nil,
            "no tokens: run Tests/Comparisons/bearer, which needs authlib, jwcrypto, pyjwt and joserfc of PyPI"
        )
    )
    func differential() async throws {
        let data = try Data(contentsOf: URL(filePath: unwrap(generated)))
        let lines = data.split(separator: 0x0A)
        let setting = try JSONDecoder().decode(Setting.self, from: unwrap(lines.first))
        let verifier = JSONWebTokenVerifier(
            issuer: setting.issuer,
            audience: [setting.audience],
            keys: try await JSONWebKeySet(json: Data(setting.keys.utf8)),
            algorithms: setting.algorithms,
            leeway: .seconds(setting.leeway)
        )
        try verifier.validate()
        let clock = VirtualClock()
        let start = Int(Simulation.startDate.timeIntervalSince1970)
        clock.advance(by: .seconds(setting.now - start))
        let call = Call(runtime: .virtual(clock: clock))
        var named: [String: Int] = [:]
        var refusals: [String: Int] = [:]
        var accepted = 0
        var differences: [String] = []

        for line in lines.dropFirst() {
            let row = try JSONDecoder().decode(Row.self, from: line)
            var refusal: String?
            do {
                _ = try await verifier.verify(row.token, on: call)
                accepted += 1
            } catch let error as AccessTokenError {
                refusal = "\(error.code)"
                refusals["\(error.code)", default: 0] += 1
            } catch {
                differences.append("differs: \(row.kind): nobody can tell: \(error)")
                continue
            }
            if let difference = row.difference(refusal, &named) { differences.append(difference) }
        }

        for (name, count) in named.sorted(by: { $0.key < $1.key }) {
            print("bearer difference by name: \(count) \(name)")
        }
        let codes = refusals.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        print("bearer verdicts: \(accepted) accepted, \(codes.joined(separator: ", "))")
        print(
            "bearer differential: \(lines.count - 1) tokens, \(differences.count) differ beyond named differences"
        )
        print(differences.prefix(40).joined(separator: "\n"))
        expectEqual(differences.count, 0)
    }
}
#endif
