import Foundation
import InterceptorKit

/// A request's body, read to its end before it is sent so that its true length is known.
///
/// Foundation on Linux would read a stream on the queue of all sessions, take a pause for its end and send it without a
/// length. The body is therefore read here first: up to a limit into memory, a longer one into a file.
enum SpooledBody: Sendable {
    case bytes(Data)
    case file(TemporaryName)

    struct Limits {
        var memory: Int
        var total: Int
        var folder: String
        /// The advice about a body that is larger, as a whole sentence.
        var remedy = "Raise maximumRequestBodyBytes, or send a whole file."
    }

    // Streams may yield single bytes, but the file is written in blocks.
    private static let blockSize = 256 * 1024

    /// - Throws: The body's own error, unchanged; `HTTP.RequestError` if the body is too large or not of its stated
    ///   length; `TransportError` if it cannot be stored.
    @concurrent
    init(reading body: HTTP.Body, within limits: Limits) async throws {
        var block = Data()
        var file: TemporaryFile?
        var count = 0
        for try await chunk in body {
            count += chunk.count
            guard count <= limits.total else { throw HTTP.RequestError.bodyTooLarge(limits) }
            guard count <= body.length ?? .max else {
                throw HTTP.RequestError.wrongLength(body, "more")
            }
            block.append(chunk)
            guard count > limits.memory, block.count >= Self.blockSize else { continue }
            try Self.keep(&block, endingAt: count, in: &file, limits.folder)
        }
        guard count == body.length ?? count else {
            throw HTTP.RequestError.wrongLength(body, "fewer")
        }
        guard count > limits.memory else {
            self = .bytes(block)
            return
        }
        try Self.keep(&block, endingAt: count, in: &file, limits.folder)
        self = file.map { .file($0.name) } ?? .bytes(block)
    }

    private static func keep(
        _ block: inout Data,
        endingAt end: Int,
        in file: inout TemporaryFile?,
        _ folder: String
    ) throws(TransportError) {
        do throws(StorageError) {
            let open: TemporaryFile
            if let file { open = file } else { open = try TemporaryFile(in: folder) }
            file = open
            try open.write(block, at: end - block.count)
        } catch {
            throw TransportError(
                .storage,
                "A request's body that is too large for memory could not be stored until it is sent. "
                    + error.text(folder: folder),
                isUnsent: true,
                cause: error
            )
        }
        block.removeAll(keepingCapacity: true)
    }
}

extension HTTP.Body {
    /// Returns the whole body, in memory and of its stated length.
    func collectForSending(upTo limit: Int) async throws -> Data {
        if let inMemory { return inMemory }
        let limits = SpooledBody.Limits(
            memory: .max,
            total: limit,
            folder: "",
            remedy:
                "Raise the limit, or send it over a transport that sends files and streams, such as "
                + "URLSessionTransport."
        )
        // A body whose stated length is too large need not be read.
        if let length, length > limit { throw HTTP.RequestError.bodyTooLarge(limits) }
        guard case .bytes(let data) = try await SpooledBody(reading: self, within: limits) else {
            throw HTTP.RequestError.bodyTooLarge(limits)
        }
        return data
    }
}

extension HTTP.RequestError {
    fileprivate static func bodyTooLarge(_ limits: SpooledBody.Limits) -> HTTP.RequestError {
        HTTP.RequestError(
            .bodyTooLarge,
            "The body is larger than the \(limits.total) bytes that may be kept of one before it is sent. "
                + limits.remedy
        )
    }

    fileprivate static func wrongLength(_ body: HTTP.Body, _ what: String) -> HTTP.RequestError {
        HTTP.RequestError(
            .invalidBody,
            "The body said it has \(body.length ?? 0) bytes and has \(what); nothing was sent."
        )
    }
}
