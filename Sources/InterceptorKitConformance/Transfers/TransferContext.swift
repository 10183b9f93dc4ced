import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The environment of a transfer's trial: a client over a transport, and a folder of its own.
struct TransferContext: Sendable {
    let context: ConformanceContext
    let client: HTTP.Client
    let folder: URL

    func path(_ name: String = "file") -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    func content(_ name: String = "file") throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    /// Starts a server of one content that cuts off the first replies after given numbers of bytes.
    func server(
        _ content: Data,
        headers: HTTP.Headers = ["ETag": "\"1\""],
        cutting cuts: [Int] = []
    ) throws -> LoopbackServer {
        try context.server { request in
            let reply = LoopbackServer.Reply.content(content, headers: headers, for: request)
            guard request.number <= cuts.count else { return reply }
            return reply.truncated(after: cuts[request.number - 1])
        }
    }

    /// Expects a download to fail and to leave no file.
    nonisolated(nonsending) func failure(
        _ code: HTTP.TransferError.Code,
        of url: HTTP.URL,
        _ options: HTTP.DownloadOptions = HTTP.DownloadOptions()
    ) async throws -> HTTP.TransferError {
        let error = try await context.failure(of: "The download") {
            try await client.download(.get(url), to: path(), options: options)
        }
        guard let error = error as? HTTP.TransferError else {
            throw ExpectationFailure(
                "The download threw \(type(of: error)) instead of a TransferError: \(error)"
            )
        }
        try expect(error.code, is: code, "The error's code")
        try expect(try names, is: [], "What is left in the folder")
        return error
    }
}

extension TransportConformance.Requirement {
    /// Creates a requirement of a client and its files.
    static func transfer(
        _ name: String,
        _ body: @escaping @Sendable (TransferContext) async throws -> Void
    ) -> Self {
        Self(name) { context in
            let name = "transfers-\(Runtime.live.random())"
            let folder = FileManager.default.temporaryDirectory.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let client = try Self.client(over: context.transport)
            try await body(TransferContext(context: context, client: client, folder: folder))
        }
    }

    private static func client(
        over transport: some Transport<HTTP.Request>
    ) throws -> HTTP.Client {
        try HTTP.Client(transport: transport) {}
    }
}
