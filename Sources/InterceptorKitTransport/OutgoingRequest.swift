import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in the engine's words.
struct OutgoingRequest: Sendable {
    let urlRequest: URLRequest
    /// A whole file to send, read by the engine.
    let file: URL?
    var hasBody: Bool { file != nil || urlRequest.httpBody?.isEmpty == false }

    /// Host and port, for messages.
    let host: String
    let idleSeconds: Int

    /// Makes everything that can fail before a task is made: after this, sending begins.
    init(
        _ request: HTTP.Request,
        host: String,
        settings: URLSessionTransport.Settings,
        call: Call
    ) async throws {
        self.host = host
        idleSeconds = call[IdleTimeout.self] ?? settings.idleSeconds
        var urlRequest = try URLRequest(request, timeoutInterval: TimeInterval(idleSeconds))
        if let region = request.body.file, region.range == nil {
            // Read here once, because the engine sends what it cannot read as nothing.
            _ = try await request.body.peek(upTo: 1)
            file = URL(fileURLWithPath: region.path)
        } else {
            file = nil
            if request.body.inMemory == nil {
                urlRequest.httpBody = try await collect(
                    request.body,
                    upTo: settings.maximumRequestBodyBytes,
                    host: host,
                    call: call
                )
            }
        }
        self.urlRequest = urlRequest
    }
}

/// How long a connection may be silent, in whole seconds, where a call says so.
enum IdleTimeout: CallKey {
    static let defaultValue: Int? = nil
}

private func collect(
    _ body: HTTP.Body,
    upTo limit: Int,
    host: String,
    call: Call
) async throws -> Data {
    guard let deadline = call.deadline else { return try await collect(body, upTo: limit) }
    let runtime = call.runtime
    return try await withThrowingTaskGroup(of: Data?.self) { group in
        group.addTask { try await collect(body, upTo: limit) }
        group.addTask {
            try await runtime.sleep(until: deadline)
            return nil
        }
        defer { group.cancelAll() }
        guard let data = try await group.next() ?? nil else {
            throw TransportError.deadlinePassedBeforeSending(host: host)
        }
        return data
    }
}

private func collect(_ body: HTTP.Body, upTo limit: Int) async throws -> Data {
    do {
        return try await body.collect(upTo: limit)
    } catch let error as HTTP.BodyError where error.code == .tooLarge {
        throw HTTP.RequestError(
            .bodyTooLarge,
            "The body is larger than the \(limit) bytes that URLSessionTransport holds in memory for a "
                + "stream or part of a file. Raise maximumRequestBodyBytes, or send a whole file."
        )
    } catch is CancellationError {
        try Task.checkCancellation()
        throw TransportError(
            .other,
            "The request's body was cancelled while it was read; nothing was sent.",
            isCertainlyUnsent: true
        )
    }
}
