import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a test transport knows of the content that was sent.
public enum SentBody: Sendable, Hashable {
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

    /// Reads a body without using it up, if that can be done.
    /// - Parameters:
    ///   - body: The body.
    ///   - limit: The largest body read, in bytes.
    /// - Throws: `CancellationError` alone; other failures become ``unread(_:)``.
    nonisolated(nonsending) static func reading(
        _ body: HTTP.Body,
        upTo limit: Int
    ) async throws -> SentBody {
        guard body.isReplayable else { return .unread("\(body)") }
        do {
            return .bytes(try await body.collect(upTo: limit))
        } catch let error as CancellationError {
            throw error
        } catch {
            return .unread("\(body): \(error)")
        }
    }
}
