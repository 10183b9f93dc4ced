import InterceptorKit
import InterceptorKitInspection
import InterceptorKitTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cassette's path in a folder of its own, which goes with the value.
final class CassetteFile: Sendable {
    let path: String
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appending(path: "cassette \(UUID())")
        path = folder.appending(path: "within/exchanges.har").path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var data: Data { (try? Data(contentsOf: URL(filePath: path))) ?? Data() }
    var text: String { String(decoding: data, as: UTF8.self) }

    /// The files in the cassette's folder.
    var names: [String] {
        let within = folder.appending(path: "within").path(percentEncoded: false)
        return (try? FileManager.default.contentsOfDirectory(atPath: within)) ?? []
    }

    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "within"),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

/// The outcome of a send, for comparing a replay with its recording.
struct Exchange: Equatable {
    var status = 0
    var headers: [String] = []
    var body = Data()
    var error: String?

    /// Sends requests one after the other over a transport, in virtual time.
    static func all(
        _ requests: [HTTP.Request],
        over transport: any Transport<HTTP.Request>,
        events: (any EventSink)? = nil
    ) throws -> [Exchange] {
        try Simulation.run { simulation in
            var exchanges: [Exchange] = []
            for request in requests {
                let call = Call(runtime: simulation.runtime, events: events)
                exchanges.append(await Exchange(request, over: transport, call: call))
            }
            return exchanges
        }
    }

    init() {}

    init(
        _ request: HTTP.Request,
        over transport: any Transport<HTTP.Request>,
        call: Call
    ) async {
        do {
            let response = try await transport.send(request, call: call)
            status = response.status.code
            headers = response.headers.map { "\($0.name): \($0.value)" }
            for try await chunk in response.body { body.append(chunk) }
        } catch {
            self.error = "\(error)"
        }
    }
}
