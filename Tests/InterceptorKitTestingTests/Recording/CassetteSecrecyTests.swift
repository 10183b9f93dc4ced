import Expectations
import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting
import TestRun
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct CassetteSecrecyTests {
    /// All text in an archive, Base64 content decoded.
    private func text(of file: CassetteFile) throws -> String {
        let entries = try HAR(json: file.data).log.entries
        let bodies = entries.flatMap { [$0.request.postData?.bytes, $0.response.content.bytes] }
        return file.text + bodies.map { String(decoding: $0 ?? Data(), as: UTF8.self) }.joined()
    }

    @Test("a recorded session with secrets in random places has none of them")
    func noSecretIsWritten() throws {
        var planted = 0
        let sessions: UInt64 = cases(15, of: 150)
        for seed in 0..<sessions {
            let file = CassetteFile()
            var secrets = PlantedSecrets(seed: seed)
            let request = secrets.request()
            let response = secrets.response()
            let hidden = secrets.credentialFields
            let base = ScriptedTransport<HTTP.Request>(replies: [.reply(response)])

            try Simulation.run { simulation in
                let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
                let call = Call(runtime: simulation.runtime).credentialFields(adding: hidden)
                _ = try await recorder.send(request, call: call)
            }

            planted += secrets.count
            let written = try text(of: file)
            expectTrue(!written.contains(PlantedSecrets.marker), "seed \(seed): \(file.text)")
        }
        expectTrue(planted > 5 * Int(sessions))
    }

    @Test("a session with secrets replays offline without the secrets")
    func replayWithoutSecrets() throws {
        for seed in 0..<cases(10, of: 40) as Range<UInt64> {
            let file = CassetteFile()
            var secrets = PlantedSecrets(seed: seed)
            let requests = (0..<4).map { _ in secrets.request() }
            let responses = (0..<4).map { _ in secrets.response() }
            let base = ScriptedTransport<HTTP.Request>(replies: responses.map { .reply($0) })

            let recorder = try RecordingTransport(.record, cassette: file.path, over: base)
            _ = try Exchange.all(requests, over: recorder)
            let player = try RecordingTransport(replaying: file.path)
            let replayed = try Exchange.all(requests, over: player)

            let expected = responses.map(shown)
            let comparable = zip(expected, replayed).filter { $0.0 != nil }
            expectTrue(comparable.allSatisfy { $0.0 == $0.1 }, "seed \(seed)")
            expectTrue(player.unused.isEmpty, "seed \(seed)")
        }
    }

    // What is left of a response when its secrets are hidden; nil if its body is withheld.
    private func shown(_ response: HTTP.Response) -> Exchange? {
        var exchange = Exchange()
        exchange.status = response.status.code
        exchange.headers = Redaction.standard.headers(response.headers)
            .map { "\($0.name): \($0.value)" }
        let body = response.body.inMemory ?? Data()
        switch Redaction.standard.body(body, of: response.headers) {
        case .text(let text): exchange.body = Data(text.utf8)
        case .binary(let bytes): exchange.body = bytes
        case .withheld: return nil
        }
        return exchange
    }
}
