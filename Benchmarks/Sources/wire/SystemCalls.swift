import Foundation

/// Counts the system calls of programs by strace, which makes them many times slower.
struct SystemCalls: Counter {
    private let strace: Subprocess

    /// Finds strace.
    init() throws { strace = try Subprocess(named: "strace") }

    func count(
        of program: Subprocess,
        _ arguments: [String]
    ) throws -> (count: Int, output: String) {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("interceptorkit-strace-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let options = ["-c", "-f", "-U", "name,calls", "-o", file.path]
        let output = try program.run(by: strace, options, arguments)
        let table = try String(contentsOf: file, encoding: .utf8)
        let words = table.split(whereSeparator: \.isWhitespace)
        guard let total = words.lastIndex(of: "total"), total + 1 < words.count,
            let calls = Int(words[total + 1])
        else { throw Subprocess.Failure(description: "strace counted nothing: \(table)") }
        return (calls, output)
    }
}
