import Foundation
import Loading

/// The load generator wrk, as a limit: it parses little and keeps nothing.
struct Wrk: Contender {
    let name = "wrk"
    private let path: String

    /// Finds it; `nil` if it is not installed.
    init?() {
        let folders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
        let paths = folders.map { "\($0)/wrk" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.path = path
    }

    func bear(_ load: Load, for duration: Duration) async throws -> Sample {
        let output = try run([
            "--threads", "\(min(load.inFlight, 2))",
            "--connections", "\(load.inFlight)",
            // It takes whole seconds.
            "--duration", "\(max(1, Int((duration / .seconds(1)).rounded())))s",
            "--latency",
            load.url,
        ])
        let words = output.split(whereSeparator: { $0 == " " || $0 == "\n" })
        func word(after name: Substring) -> Substring? {
            words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        }
        guard let rate = word(after: "Requests/sec:").flatMap({ Double($0) }),
            !output.contains("Non-2xx"), !output.contains("Socket errors")
        else { throw UnexpectedAnswer("wrk did not say how fast it was:\n\(output)") }
        return Sample(
            requests: Int(rate * 1000),
            seconds: 1000,
            processorSeconds: nil,
            latency50: word(after: "50%").flatMap(seconds),
            latency99: word(after: "99%").flatMap(seconds)
        )
    }

    private func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    /// A time as wrk writes it: 12.34us, 1.20ms, 2.00s.
    private func seconds(_ text: Substring) -> Double? {
        for (unit, length) in [("us", 1e-6), ("ms", 1e-3), ("s", 1)] where text.hasSuffix(unit) {
            return Double(text.dropLast(unit.count)).map { $0 * length }
        }
        return nil
    }
}
