public import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parameters of a download, and the errors that it throws.
struct DownloadRequest: Sendable {
    private static let refusalLimit = 64 << 10

    let client: HTTP.Client
    let request: HTTP.Request
    let place: DownloadPlace
    let options: HTTP.DownloadOptions
    let timeout: Duration?
    let configure: @Sendable (inout Call) throws -> Void

    var runtime: Runtime { client.runtime }

    /// The identity of the content of a part.
    var resource: String { options.identity ?? request.url.text }

    /// Whether the rest of the content can be requested: not if the request itself asks for a range.
    var canResume: Bool { request.method == .get && !request.headers.contains("Range") }

    /// - Parameter allowsCodings: Whether the engine may ask for content codings, which it then decodes.
    func sendWhole(
        discarding count: Int,
        allowingCodings allowsCodings: Bool = false
    ) async throws -> HTTP.Response {
        try await client.send(allowsCodings ? request : prepared, timeout: timeout) { call in
            try setUp(&call)
            guard count > 0 else { return }
            call.emit(.downloadRestarted, from: "HTTP.Client", ["bytes": .number(count)])
        }
    }

    func send(restOf version: ContentVersion, from start: Int) async throws -> HTTP.Response {
        var request = prepared
        request.headers["Range"] = "bytes=\(start)-"
        request.headers["If-Range"] = version.validator
        return try await client.send(request, timeout: timeout) { call in
            try setUp(&call)
            call.emit(.downloadResumed, from: "HTTP.Client", ["bytes": .number(start)])
        }
    }

    // Content may be large and the connection slow, so only silence is limited.
    private func setUp(_ call: inout Call) throws {
        call.minimumBodyRate = 0
        call.totalBodyTimeout = HTTP.Client.unlimited
        try configure(&call)
    }

    /// Whether the request asks for no content coding, because coded content cannot be resumed.
    var asksForIdentity: Bool {
        canResume && (options.keepsPart || options.resumptions > 0)
            && !request.headers.contains("Accept-Encoding")
    }

    private var prepared: HTTP.Request {
        guard asksForIdentity else { return request }
        var request = request
        request.headers["Accept-Encoding"] = "identity"
        return request
    }
}

extension DownloadRequest {
    // Without the query, which may contain secrets.
    private var source: String { "\(request.url.origin?.description ?? "")\(request.url.path)" }

    func failure(
        _ code: HTTP.TransferError.Code,
        _ cause: (any Error)?,
        after count: Int,
        of length: Int?,
        resumptions: Int,
        retryAfter: Duration
    ) -> HTTP.TransferError {
        let total = length.map { " of \($0)" } ?? ""
        let what =
            length == nil
            ? "The rest cannot be asked for, because the response had no strong validator or no "
                + "length, or was coded."
            : "The rest was requested \(resumptions) times."
        let later =
            retryAfter > .zero ? " It may be requested after \(retryAfter.formattedSeconds)." : ""
        return HTTP.TransferError(
            code,
            "The content of \(source) broke off after \(count)\(total) bytes. \(what)\(later)",
            cause: cause
        )
    }

    func refusal(_ response: HTTP.Response) async -> HTTP.TransferError {
        var response = response
        let beginning = await beginning(of: response.body)
        await response.discard(on: runtime)
        response.body = .bytes(beginning.prefix(Self.refusalLimit))
        return HTTP.TransferError(
            .refused,
            "The request for \(source) was answered with \(response.status); there is nothing to "
                + "download.",
            response: response
        )
    }

    // The bytes of the first second: no time limit of the call applies to content, and a silent server must not delay
    // the error.
    private func beginning(of body: HTTP.Body) async -> Data {
        await withTaskGroup { group in
            group.addTask { _ = try? await body.peek(upTo: Self.refusalLimit) }
            group.addTask { try? await runtime.sleep(for: .seconds(1)) }
            await group.next()
            group.cancelAll()
        }
        return await (try? body.peek(upTo: 0)) ?? Data()
    }

    var unexpectedPart: HTTP.TransferError {
        HTTP.TransferError(
            .unexpectedPart,
            "\(source) was requested as a whole, and the server sent a part."
        )
    }

    func overrun(_ limit: Int) -> HTTP.TransferError {
        HTTP.TransferError(
            .tooLong,
            "The content of \(source) is longer than the \(limit) bytes stated or accepted."
        )
    }
}

extension Event.Name {
    /// A download requests the rest of its content: `bytes` it has so far.
    public static let downloadResumed: Self = "download.resumed"
    /// A download requests all content again, because its part cannot be resumed: `bytes` it had so far.
    public static let downloadRestarted: Self = "download.restarted"
}
