import CInterceptorKitCurl
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request in libcurl's terms.
struct OutgoingRequest {
    private enum Content {
        case none
        /// No content, stated as such.
        case empty
        /// Bytes that libcurl copies and sends together with the head.
        case small(Data)
        case upload(Upload, length: Int?)

        /// Methods that anticipate content state that there is none (RFC 9110 section 8.6). For others libcurl's option
        /// for content is not set, because HEAD would then wait for a body that never comes.
        static func nothing(of method: HTTP.Method) -> Self {
            [.post, .put, .patch].contains(method) ? .empty : .none
        }
    }

    /// How the request reaches its host, and its target if libcurl would change that.
    private struct Way {
        let route: Configuration.Route
        let target: String?

        init(
            of request: HTTP.Request,
            to address: HTTP.ConnectAddress?,
            _ configuration: Configuration
        ) throws(HTTP.RequestError) {
            route = configuration.route(to: request.url, at: address)
            target = try configuration.explicitTarget(of: request.url.normalized, on: route)
        }
    }

    // For larger bodies a second system call costs less than a copy.
    private static let smallBytes = 64 << 10

    private let request: HTTP.Request
    private let content: Content
    private let address: HTTP.ConnectAddress?
    private let way: Way
    /// The fields that libcurl must not add when the request has none.
    private var suppressed: [String] {
        switch content {
        case .none: Self.suppressedWithoutContent
        case .empty, .small, .upload: Self.suppressedWithContent
        }
    }
    private static let suppressedWithoutContent = ["Accept"]
    private static let suppressedWithContent = ["Accept", "Content-Type", "Expect"]

    /// Completes everything that can fail before there is a transfer; after this, sending begins.
    init(
        _ request: HTTP.Request,
        to address: HTTP.ConnectAddress?,
        configuration: Configuration
    ) async throws {
        // Apart from the body in memory that nearly every request has, because an asynchronous function takes room for
        // all that it may do.
        let way = try Way(of: request, to: address, configuration)
        let content = try await Self.content(of: request, limit: configuration.bufferLimit)
        try self.init(request, content, to: address, way)
    }

    /// Does the same at once; returns `nil` for a body that is not in memory, which may take any time.
    init?(
        inMemory request: HTTP.Request,
        to address: HTTP.ConnectAddress?,
        configuration: Configuration,
        reportsProgress: Bool
    ) throws(HTTP.RequestError) {
        guard let data = request.body.inMemory else { return nil }
        let way = try Way(of: request, to: address, configuration)
        let content: Content =
            if data.isEmpty {
                .nothing(of: request.method)
            } else if data.count <= Self.smallBytes, !reportsProgress {
                .small(data)
            } else {
                .upload(Upload(.memory(data)), length: data.count)
            }
        try self.init(request, content, to: address, way)
    }

    private init(
        _ request: HTTP.Request,
        _ content: Content,
        to address: HTTP.ConnectAddress?,
        _ way: Way
    ) throws(HTTP.RequestError) {
        self.request = request
        self.address = address
        self.content = content
        self.way = way
        if request.method == .head, case .upload = content { throw Self.headWithBody }
        if request.method == .head, case .small = content { throw Self.headWithBody }
    }

    private static func content(
        of request: HTTP.Request,
        limit: Int
    ) async throws -> Content {
        let body = request.body
        if let region = body.file, body.length != nil {
            // Reports problems of the file as every reader of such a body does.
            _ = try await body.peek(upTo: 1)
            guard let file = await OpenFile.open(region) else {
                throw TransportError(
                    .other,
                    "The file of the request's body changed before it could be sent.",
                    isUnsent: true
                )
            }
            return file.length == 0
                ? .nothing(of: request.method) : .upload(Upload(.file(file)), length: file.length)
        }
        if body.length == 0, body.isReplayable || request.method == .head {
            return .nothing(of: request.method)
        }
        if body.file != nil { _ = try await body.peek(upTo: 1) }
        return .upload(
            Upload(.pipe(UploadPipe(length: body.length, limit: limit))),
            length: body.length
        )
    }

    /// Whether the body is sent in pieces, after the head.
    var uploads: Bool { if case .upload = content { true } else { false } }

    /// Whether the request may share a connection with others, as over HTTP/2.
    func mayShareConnection(_ configuration: Configuration) -> Bool {
        switch configuration.settings.version.kind {
        case .automatic: request.url.origin?.scheme == "https"
        case .http1: false
        case .http2PriorKnowledge: true
        }
    }

    func io(_ easy: Easy, _ configuration: Configuration) throws(CurlError) -> TransferIO {
        if !easy.isConfigured {
            try configuration.apply(to: easy)
            easy.setCallbacks(Callbacks())
        }
        try easy.set(IKCURL_OPT_URL, request.url.normalized.text)
        if let target = way.target { try easy.set(IKCURL_OPT_REQUEST_TARGET, target) }
        try configuration.applyProxy(for: request.url, to: easy)
        try configuration.applyPins(for: request.url, to: easy)
        let isShared = mayShareConnection(configuration)
        // Waiting to see whether a new connection can be shared is better than one connection per request.
        try easy.set(IKCURL_OPT_PIPEWAIT, isShared ? 1 : 0)
        // Without TLS, HTTP/2 is used only by the settings, and verbose output costs time.
        try easy.listen(isShared && configuration.ownsVerboseOutput)
        try setContent(easy)
        try setMethod(easy)
        let fields = FieldList(request.headers, suppressing: suppressed, and: ownHost)
        // Safety: the `TransferIO` made below keeps the fields as long as the handle has their address.
        if let fields { try unsafe easy.set(IKCURL_OPT_HTTPHEADER, memory: fields.memory) }
        // The entry replaces any host and port, as a transfer has one of each. libcurl shares no connection between
        // addresses, nor between an address and a name.
        let address = address.flatMap { FieldList(lines: ["::\($0)"]) }
        if let address { try easy.setAddress(address) }
        let upload: Upload? = if case .upload(let upload, _) = content { upload } else { nil }
        // The settings' own options may be any.
        easy.isPlain =
            isPlain && easy.announcesReady && configuration.settings.options.isEmpty
        return TransferIO(easy: easy, fields: fields, address: address, upload: upload)
    }

    /// Whether the handle gets only the options that every request sets.
    private var isPlain: Bool {
        if case .none = content { request.method == .get && way.target == nil } else { false }
    }

    /// The `Host` field on a connection to a proxy, where libcurl (7.88), after one IPv6 address, writes every host in
    /// brackets.
    private var ownHost: String? {
        if case .direct = way.route { return nil }
        guard !request.headers.contains("Host"), let authority = request.url.authority else {
            return nil
        }
        return "Host: \(authority)"
    }

    private func setContent(_ easy: Easy) throws(CurlError) {
        switch content {
        case .none:
            if request.method == .head {
                try easy.set(IKCURL_OPT_NOBODY, 1)
            } else {
                try easy.set(IKCURL_OPT_HTTPGET, 1)
            }
        case .empty:
            try setPost(easy, Data())
            try keepConnection(easy)
        case .small(let data):
            try setPost(easy, data)
        case .upload(_, let length):
            try easy.set(IKCURL_OPT_UPLOAD, 1)
            try easy.set(IKCURL_OPT_INFILESIZE, size: length ?? -1)
            if length == 0 { try keepConnection(easy) }
        }
    }

    // libcurl 8.14 considers a request without content unfinished until it checks again, and drops the connection if an
    // error arrives before that.
    private func keepConnection(_ easy: Easy) throws(CurlError) {
        try easy.set(IKCURL_OPT_KEEP_SENDING_ON_ERROR, 1)
    }

    private func setPost(_ easy: Easy, _ data: Data) throws(CurlError) {
        try easy.set(IKCURL_OPT_POST, 1)
        try easy.set(IKCURL_OPT_POSTFIELDSIZE, size: data.count)
        if data.isEmpty { return try easy.set(IKCURL_OPT_COPYPOSTFIELDS, "") }
        // Safety: libcurl copies the bytes in this call, as many as the size set above.
        let result: Result<Void, CurlError> = unsafe data.withUnsafeBytes { bytes in
            do throws(CurlError) {
                return .success(try unsafe easy.set(IKCURL_OPT_COPYPOSTFIELDS, copied: bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func setMethod(_ easy: Easy) throws(CurlError) {
        let isUsual =
            switch content {
            case .none: request.method == .get || request.method == .head
            case .empty, .small: request.method == .post
            case .upload: request.method == .put
            }
        if !isUsual { try easy.set(IKCURL_OPT_CUSTOMREQUEST, request.method.rawValue) }
    }

    private static let headWithBody = HTTP.RequestError(
        .invalidBody,
        "libcurl does not send a HEAD request with a body. Remove the body, or send it over another "
            + "transport."
    )
}
