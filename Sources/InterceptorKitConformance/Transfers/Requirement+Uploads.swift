import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let uploads: [Self] = [
        upload("uploads bytes") { _, content in .bytes(content) },
        upload("uploads a file") { context, content in
            try content.write(to: context.folder.appending(path: "source"))
            return .file(context.path("source"))
        },
        upload("uploads a range of a file") { context, content in
            let whole = Data("before".utf8) + content + Data("after".utf8)
            try whole.write(to: context.folder.appending(path: "source"))
            return .file(context.path("source"), range: 6..<(6 + content.count))
        },
        upload("uploads a stream that can be made again") { _, content in
            .replayable(length: content.count) { Samples.slices(of: content) }
        },
        upload("uploads a stream of an unknown length") { _, content in
            .oneShot(Samples.slices(of: content))
        },
        transfer("delivers the response to an upload, whatever its status") { context in
            let server = try context.context.server(.text("too late", status: 409))

            let response = try await context.client.upload(.put(server.url("/")), from: "content")

            try expect(response.status, is: 409, "The status")
            try expect(try await response.text(), is: "too late", "The body")
        },
        transfer("ends a cancelled upload at once") { context in
            let server = try context.context.server(.stalled)
            let content = Samples.bytes(1_000_000)

            let upload = context.client.startUpload(.put(server.url("/")), from: .bytes(content))
            try await server.waitForReceivedBytes(1000)
            upload.cancel()

            try await context.context.cancellation(of: "The upload") { try await upload.value }
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    static let transfersAtOnce: [Self] = [
        transfer("carries out a hundred downloads at once") { context in
            let server = try context.context.server { request in
                .content(Samples.bytes(10_000 + (Int(request.query ?? "") ?? 0)), for: request)
            }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        let url = server.url("/?\(index)")
                        let path = context.path("\(index)")
                        let file = try await context.client.download(.get(url), to: path)
                        try expect(file.byteCount, is: 10_000 + index, "The size of \(index)")
                        try expect(
                            try context.content("\(index)"),
                            is: Samples.bytes(10_000 + index),
                            "The content of \(index)"
                        )
                    }
                }
                try await group.waitForAll()
            }

            try expect(try context.names.count, is: 100, "The number of files")
        },
        transfer("cancels all of a client's transfers and leaves nothing of them") { context in
            let content = Samples.bytes(100_000)
            let server = try context.context.server { request in
                guard request.method == .get else { return .stalled }
                return .status(200, body: content).stalledInBody(after: 50_000)
            }

            // The endless upload comes first, so that an engine that serializes transfers is detected.
            let upload = context.client.startUpload(.put(server.url("/")), from: .bytes(content))
            try await server.waitForRequests(1)
            // At most as many as the connections that an engine may make to one host.
            let downloads = (0..<4).map { index in
                context.client.startDownload(.get(server.url("/")), to: context.path("\(index)"))
            }
            try await server.waitForRequests(5)
            context.client.cancelAll()

            for download in downloads {
                try await context.context.cancellation(of: "A download") {
                    try await download.value
                }
            }
            try await context.context.cancellation(of: "The upload") { try await upload.value }
            try expect(try context.names, is: [], "What is left in the folder")
            try expect(context.client.openTransfers, is: 0, "The transfers under way")
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    /// Uploads content, and expects it whole and its progress reported up to its end.
    private static func upload(
        _ name: String,
        _ body: @escaping @Sendable (TransferContext, Data) throws -> HTTP.Body
    ) -> Self {
        transfer(name) { context in
            let content = Samples.bytes(500_000)
            let server = try context.context.server(.status(201))

            let upload = context.client.startUpload(
                .put(server.url("/")),
                from: try body(context, content)
            )
            var seen: [Int] = []
            for await progress in upload.progress { seen.append(progress.completedBytes) }
            let response = try await upload.value

            try expect(response.status, is: 201, "The status")
            try expect(context.context.single(server).body, is: content, "The content")
            try expect(seen == seen.sorted(), "The progress went back: \(seen)")
            try expect(seen.last, is: content.count, "The last count")
        }
    }
}

extension Samples {
    fileprivate static func slices(of content: Data) -> AsyncStream<Data> {
        AsyncStream { source in
            var rest = content[...]
            while !rest.isEmpty {
                source.yield(Data(rest.prefix(30_000)))
                rest = rest.dropFirst(30_000)
            }
            source.finish()
        }
    }
}
