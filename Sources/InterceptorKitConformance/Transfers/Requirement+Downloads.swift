import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Requirement {
    static let downloads: [Self] = [
        transfer("downloads a file byte for byte") { context in
            let content = Samples.bytes(3_000_000)
            let server = try context.server(content)
            var options = HTTP.DownloadOptions()
            options.expectedChecksum = HTTP.Checksum(of: content)

            let file = try await context.client.download(
                .get(server.url("/")),
                to: context.path(),
                options: options
            )

            try expect(file.byteCount, is: content.count, "The size")
            try expect(try context.content(), is: content, "The content")
            try expect(try context.names, is: ["file"], "What is in the folder")
        },
        transfer("downloads no content to an empty file") { context in
            let server = try context.context.server(.status(204))

            let file = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(file.byteCount, is: 0, "The size")
            try expect(try context.content(), is: Data(), "The content")
        },
        transfer("downloads chunks of an unknown length") { context in
            let content = Samples.bytes(200_000)
            let server = try context.context.server(.status(200, body: content).chunked(size: 999))

            _ = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(try context.content(), is: content, "The content")
        },
        transfer("tells the progress of a download up to its end") { context in
            let content = Samples.bytes(1_000_000)
            let server = try context.server(content)

            let download = context.client.startDownload(.get(server.url("/")), to: context.path())
            var seen: [HTTP.Progress] = []
            for await progress in download.progress { seen.append(progress) }
            _ = try await download.value

            let counts = seen.map(\.completedBytes)
            try expect(counts == counts.sorted(), "The progress went back: \(counts)")
            try expect(seen.last?.fraction, is: 1, "The last fraction")
            try expect(seen.last?.completedBytes, is: content.count, "The last count")
        },
        transfer("fails a download that is answered with a refusal, and leaves nothing") {
            context in
            let server = try context.context.server(.text("no such file", status: 404))

            let error = try await context.failure(.refused, of: server.url("/"))

            try expect(error.response?.status, is: 404, "The status")
            try expect(try await error.response?.text(), is: "no such file", "The body")
        },
        transfer("throws content with another checksum away") { context in
            let server = try context.server(Samples.bytes(10_000))
            var options = HTTP.DownloadOptions()
            options.expectedChecksum = HTTP.Checksum(of: Samples.bytes(9_999))

            _ = try await context.failure(.checksumMismatch, of: server.url("/"), options)
        },
        transfer("ends a cancelled download at once, and leaves nothing") { context in
            let content = Samples.bytes(100_000)
            let server = try context.context.server(
                .status(200, body: content).stalledInBody(after: 50_000)
            )

            let download = context.client.startDownload(.get(server.url("/")), to: context.path())
            for await progress in download.progress where progress.completedBytes >= 50_000 {
                break
            }
            download.cancel()

            try await context.context.cancellation(of: "The download") { try await download.value }
            try expect(try context.names, is: [], "What is left in the folder")
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        transfer("cancels a download that nobody holds any more") { context in
            let server = try context.context.server(
                .text("0123456789").stalledInBody(after: 5)
            )

            var download: HTTP.Transfer<HTTP.DownloadedFile>? = context.client.startDownload(
                .get(server.url("/")),
                to: context.path()
            )
            try await server.waitForRequests(1)
            try expect(download?.latestProgress.totalBytes ?? 10, is: 10, "The total")
            download = nil

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    static let brokenDownloads: [Self] = [
        transfer("goes on with a download that breaks off, again and again") { context in
            let content = Samples.bytes(400_000)
            let server = try context.server(content, cutting: [100_000, 1, 150_000])

            let file = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(try context.content(), is: content, "The content")
            try expect(file.resumptions >= 1, "The rest was never asked for.")
            let conditions = server.requests.dropFirst().map { $0.headers["If-Range"] }
            try expect(
                conditions.allSatisfy { $0 == "\"1\"" },
                "The conditions are \(conditions)."
            )
        },
        transfer("goes on with a download whose connection is reset") { context in
            let content = Samples.bytes(400_000)
            let server = try context.context.server { request in
                let reply = LoopbackServer.Reply.content(
                    content,
                    headers: ["ETag": "\"1\""],
                    for: request
                )
                return request.number == 1 ? reply.resetInBody(after: 200_000) : reply
            }

            _ = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(try context.content(), is: content, "The content")
        },
        transfer("begins again when the content changed while it broke off") { context in
            let old = Samples.bytes(200_000)
            let new = Data(Samples.bytes(150_000).reversed())
            let server = try context.context.server { request in
                let isFirst = request.number == 1
                let reply = LoopbackServer.Reply.content(
                    isFirst ? old : new,
                    headers: ["ETag": isFirst ? "\"old\"" : "\"new\""],
                    for: request
                )
                return isFirst ? reply.truncated(after: 100_000) : reply
            }

            _ = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(try context.content(), is: new, "The content")
        },
        transfer("asks for all of it when a part of another version comes") { context in
            let content = Samples.bytes(100_000)
            let server = try context.context.server { request in
                if request.number == 1 {
                    return .content(content, headers: ["ETag": "\"1\""], for: request)
                        .truncated(after: 50_000)
                }
                return .content(content, headers: ["ETag": "\"2\""], for: request)
            }

            _ = try await context.client.download(.get(server.url("/")), to: context.path())

            try expect(try context.content(), is: content, "The content")
        },
        transfer("never goes on from a weak validator, and leaves nothing") { context in
            let server = try context.server(
                Samples.bytes(100_000),
                headers: ["ETag": "W/\"1\""],
                cutting: [50_000]
            )

            let error = try await context.failure(.interrupted, of: server.url("/"))

            try expect(error.cause is TransportError, "The cause is \(error.cause as Any).")
            try expect(server.requests.count, is: 1, "The number of requests")
        },
        transfer("gives up a download that comes no further, and leaves nothing") { context in
            let server = try context.server(
                Samples.bytes(1000),
                cutting: [1] + Array(repeating: 0, count: 10)
            )
            var options = HTTP.DownloadOptions()
            options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))

            _ = try await context.failure(.interrupted, of: server.url("/"), options)

            try expect(server.requests.count, is: 4, "The number of requests")
        },
        transfer("goes on in another call with what was kept of one") { context in
            let content = Samples.bytes(300_000)
            let server = try context.server(content, cutting: [200_000])
            var options = HTTP.DownloadOptions()
            options.keepsPartial = true
            options.resumptions = 0

            _ = try await context.context.failure(of: "The first download") {
                try await context.client.download(
                    .get(server.url("/")),
                    to: context.path(),
                    options: options
                )
            }
            let left = try context.names
            _ = try await context.client.download(
                .get(server.url("/")),
                to: context.path(),
                options: options
            )

            try expect(left, is: ["file.partial", "file.partial.json"], "What was kept")
            try expect(try context.content(), is: content, "The content")
            try expect(try context.names, is: ["file"], "What is in the folder")
        },
        transfer("downloads all of it or nothing, whichever byte the server dies at") { context in
            let content = Samples.bytes(48)
            let server = try context.context.server { request in
                let cut = Int(request.query ?? "") ?? 0
                return .content(content, for: request).truncated(after: cut)
            }

            for cut in 0...content.count {
                let path = context.path("\(cut)")
                let url = server.url("/?\(cut)")
                let file = try? await context.client.download(.get(url), to: path)
                try expect(
                    (file == nil) == (cut < content.count),
                    "The download cut after \(cut) bytes came to \(file as Any)."
                )
            }
            try expect(try context.names, is: ["\(content.count)"], "What is in the folder")
        },
    ]
}
