import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One download under way: asks for the content, writes it, and asks for the rest of it.
struct DownloadRun {
    /// Why what has come is not all, where the rest may still come.
    private struct Interruption: Error {
        let code: HTTP.TransferError.Code
        let cause: (any Error)?
    }

    /// The rest is not to be had, so all of it must be asked for.
    private struct RestRefused: Error {}

    let order: DownloadOrder
    let destination: DownloadDestination
    let board: ProgressBoard
    private var content: PartialContent
    private var resumptions = 0
    private var asksForAll = false

    init(_ order: DownloadOrder, _ board: ProgressBoard) throws {
        try Task.checkCancellation()
        try order.request.validate(allowingRelativeURL: true)
        self.order = order
        self.board = board
        destination = try DownloadDestination(order.path)
        if destination.isTaken, !order.options.replacesExisting {
            throw HTTP.TransferError.exists(order.path)
        }
        content = try PartialContent(
            for: destination,
            resource: order.resource,
            options: order.options,
            runtime: order.runtime
        )
    }

    mutating func run() async throws -> HTTP.DownloadedFile {
        do {
            var response = try await fill()
            let checksum = try content.finish(at: destination, order.options)
            response.body = .file(order.path)
            return HTTP.DownloadedFile(
                path: order.path,
                byteCount: content.count,
                checksum: checksum,
                resumptions: resumptions,
                response: response
            )
        } catch {
            content.abandon()
            throw error
        }
    }

    private mutating func fill() async throws -> HTTP.Response {
        var failures = 0
        while true {
            do {
                return try await attempt()
            } catch is RestRefused {
                asksForAll = true
            } catch let interruption as Interruption {
                // What a cancelled transport says is no reason to be told instead of the cancellation.
                try Task.checkCancellation()
                failures += 1
                guard content.version != nil, failures <= order.options.resumptions else {
                    throw order.failure(
                        interruption.code,
                        interruption.cause,
                        after: content.count,
                        of: content.version?.length,
                        resumptions: resumptions
                    )
                }
                let runtime = order.runtime
                let fraction = runtime.randomFraction()
                try await runtime.sleep(
                    for: order.options.backoff.delay(after: failures, fraction: fraction)
                )
            }
        }
    }

    /// Asks once, and returns when all has come.
    private mutating func attempt() async throws -> HTTP.Response {
        guard let version = content.version, content.count > 0, !asksForAll else {
            return try await attemptAll()
        }
        resumptions += 1
        let answer = try await rest(of: version)
        switch answer.meaning(for: version, having: content.count, of: order.request) {
        case .rest(let length):
            try await receive(answer, expecting: length)
        case .nothingMissing:
            await answer.discard(on: order.runtime)
            board.begin(with: content.count, of: content.count)
        case .all:
            try await begin(answer)
        case .busy:
            await answer.discard(on: order.runtime)
            throw Interruption(code: .interrupted, cause: nil)
        case .other:
            await answer.discard(on: order.runtime)
            throw RestRefused()
        }
        return answer
    }

    private func rest(of version: ContentVersion) async throws -> HTTP.Response {
        do {
            return try await order.send(restOf: version, from: content.count)
        } catch let error as CancellationError {
            throw error
        } catch let error as TransportError {
            throw Interruption(code: .interrupted, cause: error)
        } catch let error as ResponseError {
            // Above the transport a status may have become an error; what it says is the same.
            return HTTP.Response(error.status, headers: error.headers, request: error.request)
        } catch {
            throw RestRefused()
        }
    }

    private mutating func attemptAll() async throws -> HTTP.Response {
        let answer = try await order.sendWhole(throwingAway: content.count)
        guard answer.status.isSuccess else { throw await order.refusal(answer) }
        let isPartAsked = order.request.headers.contains("Range")
        guard answer.status != 206 || isPartAsked else {
            await answer.discard(on: order.runtime)
            throw order.unexpectedPart
        }
        try await begin(answer)
        return answer
    }

    private mutating func begin(_ answer: HTTP.Response) async throws {
        let version = ContentVersion(of: answer, to: order.request, date: order.runtime.date)
        try content.begin(order.canResume ? version : nil)
        asksForAll = false
        try await receive(answer, expecting: answer.body.length)
    }

    private mutating func receive(_ answer: HTTP.Response, expecting length: Int?) async throws {
        let end = length.map { content.count + $0 }
        if let limit = order.options.maximumBytes, let end, end > limit { throw tooLong(limit) }
        board.begin(with: content.count, of: end)
        do {
            for try await chunk in answer.body {
                let count = content.count + chunk.count
                if let limit = order.options.maximumBytes, count > limit { throw tooLong(limit) }
                if let end, count > end {
                    content.distrust()
                    throw order.overrun(end)
                }
                try content.append(chunk)
                board.report(content.count, of: end)
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTP.TransferError {
            throw error
        } catch {
            throw Interruption(code: .interrupted, cause: error)
        }
        if let end, content.count < end { throw Interruption(code: .truncated, cause: nil) }
        // What the rest was said to be may end before the content does.
        if let version = content.version, content.count < version.length {
            throw Interruption(code: .truncated, cause: nil)
        }
        board.report(content.count, of: content.count)
    }

    private mutating func tooLong(_ limit: Int) -> HTTP.TransferError {
        content.distrust()
        return order.overrun(limit)
    }
}
