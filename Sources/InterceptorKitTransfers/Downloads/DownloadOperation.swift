import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A download in progress: requests the content, writes it, and requests the rest after an interruption.
struct DownloadOperation {
    /// The reason why the content is incomplete, although the rest may still arrive.
    private struct Interruption: Error {
        let code: HTTP.TransferError.Code
        let cause: (any Error)?
        /// The wait requested by the server, or by an interceptor that rejected the request.
        var retryAfter: Duration?
    }

    // The limit of `RetryPolicy`.
    private static let maxRetryAfter = Duration.seconds(60)

    /// The rest is unavailable, so the complete content must be requested.
    private struct RangeUnavailable: Error {}

    let download: DownloadRequest
    // In a folder, a temporary name until the head of the response has arrived.
    private var destination: DownloadDestination
    private var isNamed: Bool
    let reporter: ProgressReporter
    private var content: PartialDownload
    private let madeFolders: MadeFolders
    private var resumptions = 0
    private var asksForAll = false

    init(_ download: DownloadRequest, _ reporter: ProgressReporter) throws {
        try Task.checkCancellation()
        try download.request.validate(allowingRelativeURL: true)
        self.download = download
        self.reporter = reporter
        destination = try download.place.initialDestination(for: download.resource)
        isNamed = download.place.isFile
        if isNamed { try destination.checkIsFree(unless: download.options.replacesExisting) }
        madeFolders =
            download.options.createsIntermediateDirectories
            ? try MadeFolders(above: destination) : MadeFolders()
        do {
            content = try PartialDownload(
                for: destination,
                resource: download.resource,
                options: download.options,
                runtime: download.runtime
            )
        } catch {
            madeFolders.removeIfEmpty()
            throw error
        }
    }

    mutating func run() async throws -> HTTP.DownloadedFile {
        do {
            var response = try await fill()
            let checksum = try content.finish(at: destination, download.options)
            response.body = .file(destination.path)
            return HTTP.DownloadedFile(
                path: destination.path,
                byteCount: content.count,
                checksum: checksum,
                resumptions: resumptions,
                response: response
            )
        } catch {
            content.abandon()
            madeFolders.removeIfEmpty()
            throw error
        }
    }

    private mutating func fill() async throws -> HTTP.Response {
        var failures = 0
        var reached = 0
        while true {
            do {
                return try await attempt()
            } catch is RangeUnavailable {
                asksForAll = true
            } catch let interruption as Interruption {
                // Report the cancellation, not the error that it caused in the transport.
                try Task.checkCancellation()
                // Progress resets the count of failures.
                failures = content.count > reached ? 1 : failures + 1
                reached = max(reached, content.count)
                try await wait(after: failures, interruption)
            }
        }
    }

    private func wait(after failures: Int, _ interruption: Interruption) async throws {
        let retryAfter = interruption.retryAfter ?? .zero
        guard content.version != nil, failures <= download.options.resumptions,
            retryAfter <= Self.maxRetryAfter
        else {
            throw download.failure(
                interruption.code,
                interruption.cause,
                after: content.count,
                of: content.version?.length,
                resumptions: resumptions,
                retryAfter: retryAfter
            )
        }
        let runtime = download.runtime
        let delay = download.options.backoff.delay(
            after: failures,
            fraction: runtime.randomFraction()
        )
        try await runtime.sleep(for: max(retryAfter, delay))
    }

    /// Sends one request, and returns when the content is complete.
    private mutating func attempt() async throws -> HTTP.Response {
        guard let version = content.version, content.count > 0, !asksForAll else {
            return try await attemptAll()
        }
        resumptions += 1
        let response = try await rest(of: version)
        switch response.meaning(for: version, having: content.count, of: download.request) {
        case .rest(let length):
            try await chooseName(from: response)
            try await receive(response, expecting: length)
        case .nothingMissing:
            try await chooseName(from: response)
            await response.discard(on: download.runtime)
            reporter.begin(with: content.count, of: content.count)
        case .all:
            try await begin(response)
        case .busy:
            await response.discard(on: download.runtime)
            let retryAfter = response.headers.retryAfter(date: download.runtime.date)
            throw Interruption(code: .interrupted, cause: nil, retryAfter: retryAfter)
        case .other:
            await response.discard(on: download.runtime)
            throw RangeUnavailable()
        }
        return response
    }

    private func rest(of version: ContentVersion) async throws -> HTTP.Response {
        do {
            return try await download.send(restOf: version, from: content.count)
        } catch let error as CancellationError {
            throw error
        } catch let error as ResponseError {
            // An interceptor may have turned a status into an error; the status means the same.
            return HTTP.Response(error.status, headers: error.headers, request: error.request)
        } catch {
            throw Self.interruption(by: error) ?? RangeUnavailable()
        }
    }

    /// The interruption that an error means if a later request may succeed; `nil` if not.
    private static func interruption(by error: any Error) -> (any Error)? {
        // A timeout concerns a single request.
        if error is TransportError || error is TimeoutError {
            return Interruption(code: .interrupted, cause: error)
        }
        guard let classification = (error as? any ClassifiedError)?.classification,
            [.transient, .throttled, .rejected].contains(classification.kind)
        else { return nil }
        return Interruption(
            code: .interrupted,
            cause: error,
            retryAfter: classification.retryAfter
        )
    }

    private func sendWhole() async throws -> HTTP.Response {
        do {
            let response = try await download.sendWhole(discarding: content.count)
            // The server codes the content for every client. Engines decode only if they asked for a coding, or always.
            guard download.asksForIdentity, response.status.isSuccess, response.isCoded else {
                return response
            }
            await response.discard(on: download.runtime)
            return try await download.sendWhole(
                discarding: content.count,
                allowingCodings: true
            )
        } catch {
            // The errors of the first request are thrown unchanged.
            guard asksForAll, let interruption = Self.interruption(by: error) else { throw error }
            throw interruption
        }
    }

    private mutating func attemptAll() async throws -> HTTP.Response {
        let response = try await sendWhole()
        guard response.status.isSuccess else { throw await download.refusal(response) }
        let requestsRange = download.request.headers.contains("Range")
        guard response.status != 206 || requestsRange else {
            await response.discard(on: download.runtime)
            throw download.unexpectedPart
        }
        try await begin(response)
        return response
    }

    /// Chooses the file's name, once, before the content is read.
    private mutating func chooseName(from response: HTTP.Response) async throws {
        guard !isNamed else { return }
        do {
            var named = response
            named.request = response.request ?? download.request
            destination = try download.place.destination(for: named)
            try destination.checkIsFree(unless: download.options.replacesExisting)
        } catch {
            await response.discard(on: download.runtime)
            throw error
        }
        content.file.takeOverPermissions(of: destination)
        isNamed = true
    }

    private mutating func begin(_ response: HTTP.Response) async throws {
        try await chooseName(from: response)
        let version = ContentVersion(
            of: response,
            to: download.request,
            date: download.runtime.date
        )
        try content.begin(download.canResume ? version : nil)
        asksForAll = false
        try await receive(response, expecting: response.body.length)
    }

    private mutating func receive(_ response: HTTP.Response, expecting length: Int?) async throws {
        let end = length.map { content.count + $0 }
        if let limit = download.options.maximumBytes, let end, end > limit { throw tooLong(limit) }
        reporter.begin(with: content.count, of: end)
        do {
            for try await chunk in response.body {
                let count = content.count + chunk.count
                if let limit = download.options.maximumBytes, count > limit { throw tooLong(limit) }
                if let end, count > end {
                    content.distrust()
                    throw download.overrun(end)
                }
                try content.append(chunk)
                reporter.report(content.count, of: end)
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTP.TransferError {
            throw error
        } catch {
            throw Interruption(code: .interrupted, cause: error)
        }
        if let end, content.count < end { throw Interruption(code: .truncated, cause: nil) }
        // A 206 may cover less than the rest of the content.
        if let version = content.version, content.count < version.length {
            throw Interruption(code: .truncated, cause: nil)
        }
        reporter.report(content.count, of: content.count)
    }

    private mutating func tooLong(_ limit: Int) -> HTTP.TransferError {
        content.distrust()
        return download.overrun(limit)
    }
}
