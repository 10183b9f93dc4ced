import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the engine's words.
struct OutgoingRequest: Sendable {
    private(set) var urlRequest: URLRequest
    /// A whole file to send, read by the engine.
    private(set) var file: URL?
    /// The name of that file, if it is ours.
    private(set) var spool: TemporaryName?
    var hasBody: Bool { file != nil || urlRequest.httpBody?.isEmpty == false }

    /// Host and port, for messages.
    let host: String
    let idleSeconds: Int
    let temporaryFolder: String
    let onBodySent: (@Sendable (Int) -> Void)?
    let onInformational: (@Sendable (HTTP.Response) -> Void)?

    /// Makes everything that can fail before a task is made: after this, sending begins.
    init(
        _ request: HTTP.Request,
        host: String,
        settings: URLSessionTransport.Settings,
        call: Call
    ) async throws {
        self.host = host
        idleSeconds = call[IdleTimeout.self] ?? settings.idleSeconds
        temporaryFolder = settings.folder
        onBodySent = call.onBodySent
        if !request.body.isEmpty { onBodySent?(0) }
        onInformational = call.onInformational
        urlRequest = try URLRequest(request, timeoutInterval: TimeInterval(idleSeconds))
        urlRequest.url = urlRequest.url?.forURLSession
        guard request.body.inMemory == nil else { return }
        if let region = request.body.file, region.range == nil {
            file = try await readableFile(region, of: request.body)
            return
        }
        let limits = settings.spoolLimits
        switch try await read(request.body, for: host, within: limits, call: call) {
        case .bytes(let data):
            urlRequest.httpBody = data
        case .file(let name):
            spool = name
            file = URL(fileURLWithPath: name.path)
        }
    }
}

/// How long a connection may be silent, in whole seconds, where a call says so.
enum IdleTimeout: CallKey {
    static let defaultValue: Int? = nil
}

/// The file itself, since the engine takes the length of a symbolic link for its target's and sends
/// what it cannot read as nothing.
private func readableFile(_ region: HTTP.FileRegion, of body: HTTP.Body) async throws -> URL {
    let file = URL(fileURLWithPath: region.path).resolvingSymlinksInPath()
    let kind =
        try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
    guard kind == nil || kind == .typeRegular else {
        throw HTTP.RequestError(
            .invalidBody,
            "What is to be sent is not a regular file and has no length. Send it as a stream."
        )
    }
    _ = try await body.peek(upTo: 1)
    return file
}

private func read(
    _ body: HTTP.Body,
    for host: String,
    within limits: SpooledBody.Limits,
    call: Call
) async throws -> SpooledBody {
    guard let deadline = call.deadline else { return try await read(body, within: limits) }
    let runtime = call.runtime
    return try await withThrowingTaskGroup(of: SpooledBody?.self) { group in
        group.addTask { try await read(body, within: limits) }
        group.addTask {
            try await runtime.sleep(until: deadline)
            return nil
        }
        defer { group.cancelAll() }
        guard let spooled = try await group.next() ?? nil else {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        return spooled
    }
}

private func read(_ body: HTTP.Body, within limits: SpooledBody.Limits) async throws -> SpooledBody
{
    do {
        let spooled = try await SpooledBody(reading: body, within: limits)
        // A sequence may end early where its reader's task is cancelled.
        try Task.checkCancellation()
        return spooled
    } catch is CancellationError {
        try Task.checkCancellation()
        throw TransportError(
            .other,
            "The request's body was cancelled while it was read; nothing was sent.",
            isCertainlyUnsent: true
        )
    }
}
