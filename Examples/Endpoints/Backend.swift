import Foundation
import InterceptorKit
import InterceptorKitTesting

/// One of the four: a process of its own, so that it can be killed and stopped.
///
/// Its files tell about it also when it is gone: `PREFIX.port`, and `PREFIX.requests` with a byte for each
/// request. While `PREFIX.busy` exists, it answers 503.
enum Backend {
    static func run(_ options: Options) async throws {
        let prefix = try options.text("files")
        let requests = try Tally(path: "\(prefix).requests")
        var settings = LoopbackServer.Options()
        settings.port = try options.number("port")
        settings.recordsRequests = false
        let server = try LoopbackServer(options: settings) { request in
            if request.path != "/health" { requests.add() }
            if FileManager.default.fileExists(atPath: "\(prefix).busy") {
                return .text("busy", status: 503)
            }
            return .text("done").delayed(by: .milliseconds(5))
        }
        defer { server.stop() }
        try "\(server.port)\n".write(toFile: "\(prefix).port", atomically: true, encoding: .utf8)
        // Until somebody kills it; a minute later nobody will.
        try await Runtime.live.sleep(for: .seconds(60))
    }
}

/// A file with a byte for each count, which outlives a killed process.
private final class Tally: Sendable {
    private let file: FileHandle

    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(fileURLWithPath: path))
        }
        file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seekToEnd()
    }

    func add() { file.write(Data([0x2E])) }
}
