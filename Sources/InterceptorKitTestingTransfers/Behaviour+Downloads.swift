import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance.Behaviour {
    static let downloads: [Self] = [
        transfer("downloads a file byte for byte") { trial in
            let content = Samples.bytes(3_000_000)
            let server = try trial.server(content)
            var options = HTTP.DownloadOptions()
            options.expectedChecksum = HTTP.Checksum(of: content)

            let file = try await trial.client.download(
                .get(server.url("/")),
                to: trial.path(),
                options: options
            )

            try expect(file.byteCount, is: content.count, "The size")
            try expect(try trial.content(), is: content, "The content")
            try expect(try trial.names, is: ["file"], "What is in the folder")
        },
        transfer("downloads no content to an empty file") { trial in
            let server = try trial.trial.server(.status(204))

            let file = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(file.byteCount, is: 0, "The size")
            try expect(try trial.content(), is: Data(), "The content")
        },
        transfer("downloads chunks of an unknown length") { trial in
            let content = Samples.bytes(200_000)
            let server = try trial.trial.server(.status(200, body: content).chunked(size: 999))

            _ = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(try trial.content(), is: content, "The content")
        },
        transfer("tells the progress of a download up to its end") { trial in
            let content = Samples.bytes(1_000_000)
            let server = try trial.server(content)

            let download = trial.client.startDownload(.get(server.url("/")), to: trial.path())
            var seen: [HTTP.Progress] = []
            for await progress in download.progress { seen.append(progress) }
            _ = try await download.value

            let counts = seen.map(\.completedBytes)
            try expect(counts == counts.sorted(), "The progress went back: \(counts)")
            try expect(seen.last?.fraction, is: 1, "The last fraction")
            try expect(seen.last?.completedBytes, is: content.count, "The last count")
        },
        transfer("fails a download that is answered with a refusal, and leaves nothing") { trial in
            let server = try trial.trial.server(.text("no such file", status: 404))

            let error = try await trial.failure(.refused, of: server.url("/"))

            try expect(error.response?.status, is: 404, "The status")
            try expect(try await error.response?.text(), is: "no such file", "The body")
        },
        transfer("throws content with another checksum away") { trial in
            let server = try trial.server(Samples.bytes(10_000))
            var options = HTTP.DownloadOptions()
            options.expectedChecksum = HTTP.Checksum(of: Samples.bytes(9_999))

            _ = try await trial.failure(.checksumMismatch, of: server.url("/"), options)
        },
        transfer("ends a cancelled download at once, and leaves nothing") { trial in
            let content = Samples.bytes(100_000)
            let server = try trial.trial.server(
                .status(200, body: content).stalledInBody(after: 50_000)
            )

            let download = trial.client.startDownload(.get(server.url("/")), to: trial.path())
            for await progress in download.progress where progress.completedBytes >= 50_000 {
                break
            }
            download.cancel()

            try await trial.trial.cancellation(of: "The download") { try await download.value }
            try expect(try trial.names, is: [], "What is left in the folder")
            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
        transfer("cancels a download that nobody holds any more") { trial in
            let server = try trial.trial.server(
                .text("0123456789").stalledInBody(after: 5)
            )

            var download: HTTP.Transfer<HTTP.DownloadedFile>? = trial.client.startDownload(
                .get(server.url("/")),
                to: trial.path()
            )
            try await server.waitForRequests(1)
            try expect(download?.latestProgress.totalBytes ?? 10, is: 10, "The total")
            download = nil

            try await server.waitForOpenConnections(0, timeout: .seconds(5))
        },
    ]

    static let brokenDownloads: [Self] = [
        transfer("goes on with a download that breaks off, again and again") { trial in
            let content = Samples.bytes(400_000)
            let server = try trial.server(content, cutting: [100_000, 1, 150_000])

            let file = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(try trial.content(), is: content, "The content")
            try expect(file.resumptions >= 1, "The rest was never asked for.")
            let conditions = server.requests.dropFirst().map { $0.headers["If-Range"] }
            try expect(
                conditions.allSatisfy { $0 == "\"1\"" },
                "The conditions are \(conditions)."
            )
        },
        transfer("goes on with a download whose connection is reset") { trial in
            let content = Samples.bytes(400_000)
            let server = try trial.trial.server { request in
                let reply = LoopbackServer.Reply.content(
                    content,
                    headers: ["ETag": "\"1\""],
                    for: request
                )
                return request.number == 1 ? reply.resetInBody(after: 200_000) : reply
            }

            _ = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(try trial.content(), is: content, "The content")
        },
        transfer("begins anew when the content changed while it broke off") { trial in
            let old = Samples.bytes(200_000)
            let new = Data(Samples.bytes(150_000).reversed())
            let server = try trial.trial.server { request in
                let isFirst = request.number == 1
                let reply = LoopbackServer.Reply.content(
                    isFirst ? old : new,
                    headers: ["ETag": isFirst ? "\"old\"" : "\"new\""],
                    for: request
                )
                return isFirst ? reply.truncated(after: 100_000) : reply
            }

            _ = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(try trial.content(), is: new, "The content")
        },
        transfer("asks for all of it when a part of another version comes") { trial in
            let content = Samples.bytes(100_000)
            let server = try trial.trial.server { request in
                if request.number == 1 {
                    return .content(content, headers: ["ETag": "\"1\""], for: request)
                        .truncated(after: 50_000)
                }
                return .content(content, headers: ["ETag": "\"2\""], for: request)
            }

            _ = try await trial.client.download(.get(server.url("/")), to: trial.path())

            try expect(try trial.content(), is: content, "The content")
        },
        transfer("never goes on from a weak validator, and leaves nothing") { trial in
            let server = try trial.server(
                Samples.bytes(100_000),
                headers: ["ETag": "W/\"1\""],
                cutting: [50_000]
            )

            let error = try await trial.failure(.interrupted, of: server.url("/"))

            try expect(error.cause is TransportError, "The cause is \(error.cause as Any).")
            try expect(server.requests.count, is: 1, "The number of requests")
        },
        transfer("gives up a download that breaks off each time, and leaves nothing") { trial in
            let server = try trial.server(
                Samples.bytes(1000),
                cutting: Array(repeating: 1, count: 10)
            )
            var options = HTTP.DownloadOptions()
            options.backoff = Backoff(base: .milliseconds(1), cap: .milliseconds(1))

            _ = try await trial.failure(.interrupted, of: server.url("/"), options)

            try expect(server.requests.count, is: 4, "The number of requests")
        },
        transfer("goes on in another call with what was kept of one") { trial in
            let content = Samples.bytes(300_000)
            let server = try trial.server(content, cutting: [200_000])
            var options = HTTP.DownloadOptions()
            options.keepsPartial = true
            options.resumptions = 0

            _ = try await trial.trial.failure(of: "The first download") {
                try await trial.client.download(
                    .get(server.url("/")),
                    to: trial.path(),
                    options: options
                )
            }
            let left = try trial.names
            _ = try await trial.client.download(
                .get(server.url("/")),
                to: trial.path(),
                options: options
            )

            try expect(left, is: ["file.partial", "file.partial.json"], "What was kept")
            try expect(try trial.content(), is: content, "The content")
            try expect(try trial.names, is: ["file"], "What is in the folder")
        },
        transfer("downloads all of it or nothing, whichever byte the server dies at") { trial in
            let content = Samples.bytes(48)
            let server = try trial.trial.server { request in
                let cut = Int(request.query ?? "") ?? 0
                return .content(content, for: request).truncated(after: cut)
            }

            for cut in 0...content.count {
                let path = trial.path("\(cut)")
                let url = server.url("/?\(cut)")
                let file = try? await trial.client.download(.get(url), to: path)
                try expect(
                    (file == nil) == (cut < content.count),
                    "The download cut after \(cut) bytes came to \(file as Any)."
                )
            }
            try expect(try trial.names, is: ["\(content.count)"], "What is in the folder")
        },
    ]
}
