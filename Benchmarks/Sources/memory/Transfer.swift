import Engines
import InterceptorKit
import Nginx
import ProcessFigures
import Reporting

/// One large body on its way, in either direction.
struct Transfer: Sendable {
    /// What figures are reported under.
    let name: String
    private let size: Int
    /// Moves it and returns the bytes that arrived, together with what ended it early.
    private let move: @Sendable (Engine.Opened, Nginx) async -> (Int, (any Error)?)

    static func download(_ path: String, size: Int, by reader: Reader, named name: String)
        -> Transfer
    {
        Transfer(name: "\(size >> 20) MiB download to \(name)", size: size) { opened, server in
            var count = 0
            do {
                let request = HTTP.Request.get(HTTP.URL(unvalidated: server.url(path)))
                let response = try await opened.transport.send(request, call: Call())
                try await reader.read(response.body) { count = $0 }
            } catch {
                return (count, error)
            }
            return (count, nil)
        }
    }

    static func upload(size: Int, to server: Nginx) throws -> Transfer {
        let path = try server.makeFileToSend(size: size)
        return Transfer(name: "\(size >> 20) MiB upload from a file", size: size) {
            opened,
            server in
            do {
                let url = HTTP.URL(unvalidated: server.url("/uploads/large"))
                let request = HTTP.Request.put(url, body: .file(path))
                let response = try await opened.transport.send(request, call: Call())
                await response.discard()
                return (try server.sizeOfUpload("large"), nil)
            } catch {
                return (0, error)
            }
        }
    }

    /// Moves it over a transport of its own.
    /// - Returns: What it came to, as a line.
    func run(over engine: Engine, to server: Nginx) async throws -> String {
        let opened = try engine.open(1)
        defer { opened.close() }
        // What a process keeps for good from its first requests is not the body's.
        for _ in 0..<50 {
            let request = HTTP.Request.get(HTTP.URL(unvalidated: server.url("/mebibyte")))
            _ = try await opened.transport.send(request, call: Call()).body.collect()
        }
        // Nor may it hide in pages that another body left.
        ResidentMemory.trim()
        try ResidentMemory.resetPeak()
        let baseline = try ResidentMemory.current()
        let start = ContinuousClock.now
        let (count, error) = await move(opened, server)
        let seconds = start.duration(to: .now).inSeconds.text(digits: 1)
        let peak = mebibytes(try ResidentMemory.peak() - baseline)
        let figures = "peak \(peak) MiB above a baseline of \(mebibytes(baseline)) MiB"
        guard count == size, error == nil else {
            let reason = error.map { "\($0)" } ?? "without an error"
            return "\(name) failed after \(count >> 20) MiB and \(seconds) s, \(figures): \(reason)"
        }
        return "\(name), \(seconds) s, \(figures)"
    }

    private func mebibytes(_ bytes: Int) -> String { (Double(bytes) / 0x1p20).text(digits: 1) }
}
