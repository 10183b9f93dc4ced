public import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

/// The lines that a child process writes to a pipe. They are taken as they come, also when nobody waits
/// for one, so that the child never waits for its reader.
public final class ChildLines: Sendable {
    private let lines = EventLog<String?>()

    /// Begins to read, until the child ends.
    public init(_ pipe: Pipe) {
        // On a thread of its own: a readability handler whose file is closed soon after ends the process.
        Thread.detachNewThread { [lines, rest = Rest()] in
            while true {
                let data = pipe.fileHandleForReading.availableData
                guard !data.isEmpty else { return lines.note(nil) }
                for line in rest.take(data) { lines.note(line) }
            }
        }
    }

    /// Returns when there are so many, or the child has closed the pipe.
    public func wait(for count: Int) async throws {
        try await lines.wait { $0.count >= count || $0.contains { $0 == nil } }
    }

    /// Waits for a line.
    /// - Returns: Whether it came before the child closed the pipe, as it does when it ends.
    public func contain(_ isWanted: @escaping @Sendable (String) -> Bool) async throws -> Bool {
        try await lines.wait { $0.contains { $0.map(isWanted) ?? true } }
        return lines.entries.contains { $0.map(isWanted) ?? false }
    }
}

/// What has come of a line that is not whole.
private final class Rest: Sendable {
    private let bytes = Lock(Data())

    func take(_ data: Data) -> [String] {
        bytes.withLock { bytes in
            bytes += data
            var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            bytes = Data(parts.removeLast())
            return parts.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
