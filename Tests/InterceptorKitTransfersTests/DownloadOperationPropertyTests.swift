import Expectations
import InterceptorKit
import InterceptorKitConcurrency
import InterceptorKitTesting
import InterceptorKitTransfers
import Synchronization
import TestRun
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A download from a faulty server")
struct DownloadPropertyTests {
    /// What the simulated servers have done, over all seeds.
    private struct Tally: Sendable {
        var whole = 0
        var failed = 0
        var gone = 0
    }

    @Test("is one version of the content, or an error that leaves no file")
    func neverMixed() async throws {
        let tally = Lock(Tally())
        let servers: UInt64 = cases(100, of: 500)
        try await besideOtherTests {
            for seed in 0..<servers {
                let came = try Simulation.run(seed: seed) { simulation in
                    try await life(simulation.runtime)
                }
                tally.withLock { tally in
                    tally.whole += came.whole
                    tally.failed += came.failed
                    tally.gone += came.gone
                }
            }
        }

        // Enough of each, or the test says nothing.
        let sum = tally.withLock(\.self)
        expectTrue(sum.whole > servers / 2)
        expectTrue(sum.failed > servers / 2)
        expectTrue(sum.gone > servers / 4)
    }

    /// A few calls to a server that breaks off, changes its content and lies about its answers.
    private func life(_ runtime: Runtime) async throws -> Tally {
        let folder = try Folder()
        let server = UnreliableServer(runtime)
        let client = try HTTP.Client(transport: server.transport, runtime: runtime) {}
        var tally = Tally()
        for _ in 0..<4 {
            var options = HTTP.DownloadOptions()
            options.keepsPartial = runtime.random() % 4 != 0
            options.resumptions = Int(runtime.random() % 4)
            let before = folder.content("file")
            do {
                let file = try await client.download(
                    .get(page),
                    to: folder["file"],
                    options: options
                )
                let content = try unwrap(folder.content("file"))
                try require(server.versions.contains(content), "seed's server: \(server.log)")
                try requireEqual(file.byteCount, content.count)
                tally.whole += 1
                if file.resumptions > 0 { tally.gone += 1 }
            } catch is HTTP.TransferError {
                try requireEqual(folder.content("file"), before)
                tally.failed += 1
            }
            let strays = Set(folder.names).subtracting([
                "file", "file.partial", "file.partial.json",
            ])
            try require(strays.isEmpty)
        }
        return tally
    }
}

/// Breaks off, changes its content, ignores conditions, and says wrong things about parts; only its
/// strong validators are true.
private final class UnreliableServer: Sendable {
    private struct State {
        var versions: [Data] = []
        var log: [String] = []
    }

    private let state = Lock(State())
    private let runtime: Runtime

    init(_ runtime: Runtime) {
        self.runtime = runtime
        change()
    }

    var versions: [Data] { state.withLock { $0.versions } }
    var log: [String] { state.withLock { $0.log } }

    private func chance(_ percent: UInt64) -> Bool { runtime.random() % 100 < percent }

    private func change() {
        let count = Int(runtime.random() % 40) + 1
        let content = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: runtime.random()) })
        state.withLock { $0.versions.append(content) }
    }

    var transport: ScriptedTransport<HTTP.Request> {
        ScriptedTransport { [self] request, _ in
            if chance(30) { change() }
            let number = versions.count
            let tag = chance(5) ? "W/\"\(number)\"" : "\"\(number)\""
            let content = RangedContent(versions[number - 1], headers: ["ETag": tag])
            var fields = request.headers
            // Code that ignores the condition answers with a part of another version.
            if chance(20) { fields["If-Range"] = nil }
            var answer = content.response(to: fields)
            distort(&answer)
            let cut = chance(60) ? Int(runtime.random() % UInt64(answer.body.count + 1)) : nil
            let fault = cut.map { chance(30) ? FileServer.Fault.cut(after: $0) : .lost(after: $0) }
            let line = "\(request.headers["Range"] ?? "all") -> \(answer.status) \(fault as Any)"
            state.withLock { $0.log.append(line) }
            return HTTP.Response(
                answer.status,
                headers: answer.headers,
                body: .oneShot(length: answer.body.count, FaultyStream(answer.body, fault))
            )
        }
    }

    private func distort(_ answer: inout RangedContent.Response) {
        if answer.status != 200, chance(10) { answer.headers["ETag"] = nil }
        if answer.status == 206, chance(20) {
            let start = runtime.random() % 20
            let total = start + UInt64(answer.body.count)
            answer.headers["Content-Range"] = "bytes \(start)-\(total - 1)/\(total)"
        }
        if chance(5) { answer.headers["Content-Encoding"] = "gzip" }
        if chance(3) { answer = .init(status: 503, headers: [:], body: Data()) }
        if answer.status == 206, chance(5) { answer.body += Data("more".utf8) }
    }
}
