import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport

let page: HTTP.URL = "https://files.example.com/file"

extension Folder {
    /// Downloads to a file in the folder, in a simulation.
    func download(
        from server: FileServer,
        _ request: HTTP.Request = .get(page),
        _ options: HTTP.DownloadOptions = HTTP.DownloadOptions(),
        to name: String = "file",
        through interceptors: @escaping @Sendable () -> [any Interceptor<HTTP.Request>] = { [] }
    ) throws -> HTTP.DownloadedFile {
        let path = self[name]
        return try Simulation.run { simulation in
            try await simulation.client(server.transport) { interceptors() }
                .download(request, to: path, options: options)
        }
    }

    /// What was downloaded, as text.
    var text: String? { content("file").map { String(decoding: $0, as: UTF8.self) } }
}

extension FileServer {
    convenience init(headers: HTTP.Headers, faults: [Fault?] = []) {
        self.init("0123456789", headers, faults: faults)
    }
}
