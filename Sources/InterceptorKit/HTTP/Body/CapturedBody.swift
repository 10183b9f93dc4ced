#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// The content of a message as an observer knows it.
    public enum CapturedBody: Sendable, Hashable {
        /// The complete bytes.
        case bytes(Data)
        /// The content was not read, for a reason in a few words, such as `one-shot stream, 12 bytes`.
        case unread(String)

        /// The bytes; `nil` if they were not read.
        public var bytes: Data? {
            if case .bytes(let bytes) = self { bytes } else { nil }
        }

        /// The bytes as text; `nil` if they were not read or are not UTF-8.
        public var text: String? { bytes.flatMap { String(bytes: $0, encoding: .utf8) } }
    }
}

extension HTTP.Body {
    /// Reads a body that can be read again; returns ``HTTP/CapturedBody/unread(_:)`` for any other.
    /// - Parameter limit: The largest body read, in bytes. Defaults to ``defaultLimit``.
    /// - Throws: Only `CancellationError`; other failures become ``HTTP/CapturedBody/unread(_:)``.
    public nonisolated(nonsending) func captured(
        upTo limit: Int = defaultLimit
    ) async throws -> HTTP.CapturedBody {
        guard isReplayable else { return .unread(description) }
        do {
            return .bytes(try await collect(upTo: limit))
        } catch let error as CancellationError {
            throw error
        } catch {
            return .unread("\(self): \(error)")
        }
    }
}
