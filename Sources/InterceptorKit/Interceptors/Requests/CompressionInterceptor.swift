import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compresses bodies as `gzip` (RFC 9110 section 8.4.1.3) with the system's zlib.
///
/// A server cannot say in advance that it accepts compressed requests, so list the origins that do. After a 415 (RFC
/// 9110 section 15.5.16), the request is sent once more uncompressed, if its body is replayable; if the server then
/// accepts it, requests to that origin are no longer compressed.
///
/// A body is sent uncompressed if it is small, already compressed by its type, no smaller when compressed, encoded by
/// the caller, a range, or covered by a digest or signature of the request; and if there is no zlib.
/// ``Event/Name/bodyNotCompressed`` reports the reason. ``Call/compressesBody`` turns compression off for one call.
///
/// Bytes in memory are compressed before they are sent; files and streams while they are read, without a known length
/// and in constant memory. Put it **outside** interceptors that digest or sign, which must see the body that is sent.
public struct CompressionInterceptor: Interceptor {
    /// The effort for compression.
    public enum Effort: Sendable, Hashable {
        /// Low effort: zlib's level 1.
        case fast
        /// zlib's default effort: its level 6.
        case balanced
        /// High effort: zlib's level 9.
        case best

        var level: Int32 {
            switch self {
            case .fast: 1
            case .balanced: 6
            case .best: 9
            }
        }
    }

    /// The media types whose content is already compressed, as patterns.
    public static let compressedMediaTypes = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif", "audio/*",
        "video/*", "multipart/*", "application/zip", "application/gzip", "application/x-gzip",
        "application/zstd", "application/x-7z-compressed", "application/pdf",
    ]

    private let minimumSize: Int
    private let effort: Effort
    private let excluded: [String]
    private let scope: OriginScope
    private let refusals = PerAuthority { _ in Refusal() }
    private var libraries: [String]?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - origins: The origins that accept compressed requests; `nil`, the default, means all.
    ///   - minimumSize: The smallest body that is compressed, in bytes. Defaults to 1,024: a smaller one fits into a
    ///     packet with its head, so compression gains nothing.
    ///   - effort: The effort. Defaults to ``Effort/balanced``.
    ///   - excluded: The media types that are not compressed, such as `image/png`, `video/*` or `+zip`. Defaults to
    ///     ``compressedMediaTypes``.
    public init(
        origins: [HTTP.Origin]? = nil,
        minimumSize: Int = 1024,
        effort: Effort = .balanced,
        excluding excluded: [String] = compressedMediaTypes
    ) {
        scope = OriginScope(origins)
        self.minimumSize = minimumSize
        self.effort = effort
        self.excluded = excluded
    }

    /// Returns the interceptor with other libraries to open as zlib.
    package func opening(_ libraries: [String]) -> CompressionInterceptor {
        var changed = self
        changed.libraries = libraries
        return changed
    }

    public var placement: Placement? { .compression }

    public func validate() throws { try scope.validate() }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let (request, call) = (chain.input, chain.call)
        guard !request.body.isEmpty, call.compressesBody,
            try scope.includes(request.url, for: "CompressionInterceptor")
        else { return try await chain.proceed() }
        let refusal = refusals[request.authority]
        let body: HTTP.Body
        switch try await compressed(request, refusal) {
        case .failure(let skip):
            call.emit(
                .bodyNotCompressed,
                ["reason": .text(skip.reason)]
            )
            return try await chain.proceed()
        case .success(let smaller): body = smaller
        }
        call.emit(.bodyCompressed, sizes(request.body, body))
        let response = try await chain.proceed { $0.replace(body) }
        guard response.status == 415, request.body.isReplayable else { return response }
        await response.discard(on: call.runtime)
        call.emit(
            .bodyNotCompressed,
            ["reason": .text("status 415")]
        )
        let second = try await chain.proceed()
        // A second 415 means that the coding was not the reason.
        if second.status != 415 { refusal.record() }
        return second
    }

    private func compressed(
        _ request: HTTP.Request,
        _ refusal: Refusal
    ) async throws -> Result<HTTP.Body, Skip> {
        if let reason = reason(against: request, refusal) { return .failure(Skip(reason: reason)) }
        let opened = libraries.map(SystemZlib.init(names:)) ?? SystemZlib.shared
        guard let zlib = opened else { return .failure(Skip(reason: "there is no zlib")) }
        let level = effort.level
        guard let bytes = request.body.inMemory else {
            let chunks = GzipChunks(body: request.body, zlib: zlib, level: level)
            return .success(request.body.isReplayable ? .replayable { chunks } : .oneShot(chunks))
        }
        guard let writer = GzipWriter(zlib, level: level) else {
            return .failure(Skip(reason: "zlib has no memory"))
        }
        let output = try await writer.write(bytes, isLast: true)
        guard output.count < bytes.count else { return .failure(Skip(reason: "no gain")) }
        return .success(HTTP.Body(.bytes(output)))
    }

    private func reason(against request: HTTP.Request, _ refusal: Refusal) -> String? {
        if refusal.isRecorded { return "refused by the server" }
        if let length = request.body.length, length < minimumSize {
            return "less than \(minimumSize) bytes"
        }
        if let field = Self.covering.first(where: request.headers.contains) {
            return "the request has \(field)"
        }
        let type = HTTP.essence(of: request.headers["Content-Type"] ?? "")
        return excluded.contains { HTTP.mediaType(type, matches: $0) } ? "media type \(type)" : nil
    }

    // These fields describe the uncompressed bytes.
    private static let covering = [
        "Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "Digest",
        "Content-MD5",
        "Signature-Input",
    ]

    private func sizes(_ before: HTTP.Body, _ after: HTTP.Body) -> Event.Attributes {
        var sizes: Event.Attributes = [:]
        if let length = before.length { sizes["bytes.before"] = .number(length) }
        if let length = after.length { sizes["bytes.after"] = .number(length) }
        return sizes
    }
}

private struct Skip: Error {
    let reason: String
}

/// Whether a server refused a compressed body and accepted it uncompressed.
private final class Refusal: Sendable {
    private let recorded = Lock(false)

    var isRecorded: Bool { recorded.withLock(\.self) }

    func record() { recorded.withLock { $0 = true } }
}

extension HTTP.Request {
    fileprivate mutating func replace(_ compressed: HTTP.Body) {
        body = compressed
        headers["Content-Encoding"] = "gzip"
        headers["Content-Length"] = nil
    }
}

extension Event.Name {
    /// A request's body is sent compressed: `bytes.before` and `bytes.after` if they are known.
    public static let bodyCompressed: Self = "compression.applied"
    /// A request's body is sent uncompressed: `reason`.
    public static let bodyNotCompressed: Self = "compression.skipped"
}

private enum CompressesBody: CallKey {
    static let defaultValue = true
}

extension Call {
    /// Whether ``CompressionInterceptor`` may compress the bodies of this call's requests. Defaults to `true`.
    public var compressesBody: Bool {
        get { self[CompressesBody.self] }
        set { self[CompressesBody.self] = newValue }
    }
}
