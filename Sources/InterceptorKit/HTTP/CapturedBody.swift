#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP {
    /// What an observer of a message knows of its content.
    public enum CapturedBody: Sendable, Hashable {
        /// The bytes, in full.
        case bytes(Data)
        /// The content was not read; says why in a few words, as in `one-shot stream, 12 bytes`.
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
    /// Reads a body that can be read again; one that cannot is left alone, and said to be.
    /// - Parameter limit: The largest body read, in bytes. Defaults to ``defaultLimit``.
    /// - Throws: `CancellationError` alone; other failures become
    ///   ``HTTP/CapturedBody/unread(_:)``.
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
