package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// What a process noted last of a refresh token that it was about to send.
///
/// If the token was certainly not sent, a note of it that the store still has, because it could not be reached, is no
/// obstacle.
package final class RefreshTokenNotes: Sendable {
    /// A note of a refresh token, by its digest, and who wrote it.
    package struct Note: Codable, Equatable, Sendable {
        package var refreshToken: String
        package var writer: String
    }

    private struct Noted {
        var note: Note
        var isUnsent: Bool
    }

    private let noted = Lock<Noted?>(nil)

    package init() {}

    /// Writes the note that may be there still of a token that was not sent, or a new one.
    package nonisolated(nonsending) func write(
        _ refreshToken: HashAlgorithm.Digest,
        on runtime: Runtime,
        _ write: nonisolated(nonsending) (Note) async throws -> Void
    ) async throws {
        let note = take(
            refreshToken.hexadecimal,
            writer: "\(runtime.random())-\(runtime.identifier())"
        )
        do {
            try await write(note)
            noted.withLock { $0 = Noted(note: note, isUnsent: false) }
        } catch {
            noted.withLock { $0 = Noted(note: note, isUnsent: true) }
            throw error
        }
    }

    /// Remembers that a token was not sent.
    package func withdraw(_ refreshToken: HashAlgorithm.Digest) {
        noted.withLock { noted in
            if noted?.note.refreshToken == refreshToken.hexadecimal { noted?.isUnsent = true }
        }
    }

    private func take(_ refreshToken: String, writer: String) -> Note {
        noted.withLock { noted in
            defer { noted = nil }
            if let noted, noted.isUnsent, noted.note.refreshToken == refreshToken {
                return noted.note
            }
            return Note(refreshToken: refreshToken, writer: writer)
        }
    }
}
