import Foundation
import InterceptorKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A request in the engine's terms.
struct OutgoingRequest: Sendable {
    private(set) var urlRequest: URLRequest
    /// A whole file to send, read by the engine.
    private(set) var file: URL?
    /// The name of that file, if it is a temporary one of ours.
    private(set) var spool: TemporaryName?
    #if canImport(FoundationNetworking)
    private var sentFile: SentFile?
    #endif
    /// Whether the request goes over a connection that serves no other request.
    ///
    /// When a kept connection breaks before a response, libcurl on Linux resends the request by itself unless bytes of
    /// a body have been sent, which it cannot rewind here. Without a body only a connection that was not kept prevents
    /// that.
    var needsOwnConnection: Bool {
        #if canImport(FoundationNetworking)
        !hasBytes && !mayBeRepeated
        #else
        false
        #endif
    }
    private let mayBeRepeated: Bool
    /// Whether the response may be the second that the engine reports, after the response of a proxy to the request for
    /// a tunnel.
    var mayBeTunnelled: Bool
    /// Whether the engine may send the request a second time because the host does not meet its expectation.
    let hasExpectation: Bool
    var mayGetSeveralHeads: Bool { mayBeTunnelled || hasExpectation }
    var isCutShort: Bool {
        #if canImport(FoundationNetworking)
        sentFile?.isCutShort == true
        #else
        false
        #endif
    }
    /// Whether bytes of a body follow the head.
    var hasBody: Bool { urlRequest.httpMethod != "HEAD" && hasBytes }

    private var hasBytes: Bool {
        file != nil || urlRequest.httpBodyStream != nil || urlRequest.httpBody?.isEmpty == false
    }

    /// Host and port, for messages.
    let host: String
    let idleSeconds: Int
    let temporaryFolder: String
    let onBodySent: (@Sendable (Int) -> Void)?
    let onInformational: (@Sendable (HTTP.Response) -> Void)?

    /// Completes everything that can fail before a task is created; after this, sending begins.
    /// - Parameter registry: Owns the reading of a body that is a stream.
    init(
        _ request: HTTP.Request,
        host: String,
        settings: URLSessionTransport.Settings,
        registry: TaskRegistry,
        call: Call
    ) async throws {
        self.host = host
        idleSeconds = call[IdleTimeout.self] ?? settings.idleSeconds
        temporaryFolder = settings.folder
        onBodySent = call.onBodySent
        if !request.body.isEmpty { onBodySent?(0) }
        onInformational = call.onInformational
        urlRequest = try URLRequest(head: request, timeoutInterval: TimeInterval(idleSeconds))
        urlRequest.url = urlRequest.url?.forURLSession
        mayBeTunnelled = request.url.scheme == "https" && Tunnels.areConfigured
        mayBeRepeated = call.isIdempotent ?? request.method.isSafe
        hasExpectation = request.headers.contains("Expect")
        if let data = request.body.inMemory {
            if !data.isEmpty { urlRequest.httpBody = data }
        } else if let region = request.body.file, region.range == nil, request.body.length != nil {
            file = try await readableFile(region, of: request.body)
        } else {
            let reading = BodyReading(request.body, within: settings.spoolLimits, for: host)
            switch try await reading.value(in: registry, call: call) {
            case .bytes(let data):
                urlRequest.httpBody = data
            case .file(let name):
                spool = name
                file = URL(fileURLWithPath: name.path)
            }
        }
        #if canImport(FoundationNetworking)
        if let path = file?.path { try send(await SentFile.open(path)) }
        #endif
    }

    #if canImport(FoundationNetworking)
    // The length has to be set, because Foundation does not know that of a stream; a blank transfer coding keeps
    // libcurl from sending chunks.
    private mutating func send(_ opened: SentFile?) throws(TransportError) {
        guard let opened else {
            throw TransportError(
                .other,
                "The file of the request's body changed before it could be sent.",
                isUnsent: true
            )
        }
        file = nil
        // An open file stays after its name is removed.
        spool?.remove()
        spool = nil
        guard opened.length > 0 else { return }
        sentFile = opened
        urlRequest.httpBodyStream = FileBodyStream(opened)
        urlRequest.allHTTPHeaderFields?["Content-Length"] = "\(opened.length)"
        urlRequest.allHTTPHeaderFields?["Transfer-Encoding"] = " "
    }
    #endif
}

/// The longest silence of a connection, in whole seconds, if a call sets it.
enum IdleTimeout: CallKey {
    static let defaultValue: Int? = nil
}

/// Returns the file that a symbolic link leads to, since the engine takes the link's own length and sends an unreadable
/// file as an empty body; `nil` if the file is empty.
@concurrent
private func readableFile(_ region: HTTP.FileRegion, of body: HTTP.Body) async throws -> URL? {
    let file = URL(fileURLWithPath: region.path).resolvingSymlinksInPath()
    return try await body.peek(upTo: 1).isEmpty ? nil : file
}

/// Whether the engine may ask a proxy for a tunnel and report the proxy's response as if it were the host's.
private enum Tunnels {
    /// Decides by the variables that libcurl reads for `https`, without regard to exceptions.
    static var areConfigured: Bool {
        #if canImport(FoundationNetworking)
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { name in
            // Safety: the text is read only during this call.
            guard let value = unsafe getenv(name) else { return false }
            return unsafe value.pointee != 0
        }
        #else
        false
        #endif
    }
}
