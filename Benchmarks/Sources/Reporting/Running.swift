import Foundation

/// Writes a line that is read at once, even through a pipe and by anyone who sees the program die.
public func say(_ line: some CustomStringConvertible) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Runs a program's body in a task of its own, as calls have them: main runs on an executor of its own
/// kind. An error ends the program with its text and status 1.
public func runProgram(_ body: @escaping @Sendable () async throws -> Void) async {
    do {
        try await Task.detached(operation: body).value
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
}
