import Foundation
import InterceptorKit

/// The bytes of a Foundation stream.
final class InputStreamBody: BodyStream, @unchecked Sendable {
    private static let chunkSize = 64 * 1024

    // Invariant behind `@unchecked Sendable`: a stream from a `URLRequest` is handed over with it, and
    // is touched only while `isOpen` is locked.
    private let stream: InputStream
    private let isOpen = Lock<Bool?>(nil)

    init(_ stream: InputStream) { self.stream = stream }

    deinit { cancel() }

    @concurrent
    func next() async throws -> Data? {
        try Task.checkCancellation()
        return try isOpen.withLock { isOpen in
            if isOpen == nil {
                try checkUnread()
                stream.open()
                isOpen = true
            }
            guard isOpen == true else { return nil }
            var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
            let count = unsafe stream.read(&chunk, maxLength: chunk.count)
            if count > 0 { return Data(chunk.prefix(count)) }
            // Asked for an error there is none of, Foundation on Linux ends the process.
            let error = stream.streamStatus == .error ? stream.streamError : nil
            stream.close()
            isOpen = false
            if count < 0 { throw error ?? CocoaError(.fileReadUnknown) }
            return nil
        }
    }

    // Read again it would be empty, and sent so without a word.
    private func checkUnread() throws {
        guard [.atEnd, .closed, .error].contains(stream.streamStatus) else { return }
        throw TransportError(
            .other,
            "The request's httpBodyStream was read before and can be read once; nothing was sent. Make "
                + "a new stream for each request, or use httpBody.",
            isCertainlyUnsent: true
        )
    }

    func cancel() {
        isOpen.withLock { isOpen in
            if isOpen == true { stream.close() }
            isOpen = false
        }
    }
}
