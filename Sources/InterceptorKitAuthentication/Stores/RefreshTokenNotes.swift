package import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// A process's last note of a refresh token that it was about to send.
///
/// If the token is known to be unsent but the store could not be reached to remove the note, the remaining note does
/// not prevent another use.
package final class RefreshTokenNotes: Sendable {
    /// A note of a refresh token's digest, and of the process that wrote it.
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

    /// Writes a new note, or the same note again if the token was noted and not sent.
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

    /// Records that a token was not sent.
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
