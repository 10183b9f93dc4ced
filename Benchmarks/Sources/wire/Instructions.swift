import Foundation

/// Counts the instructions of programs outside the system by valgrind, which makes them fifty times slower and runs one
/// thread at a time. The count hardly depends on what else the machine does.
struct Instructions: Counter {
    private let valgrind: Subprocess
    private let objcopy: Subprocess

    /// Finds valgrind, and objcopy, because valgrind (3.19) ends at the debug information of Swift.
    init() throws {
        valgrind = try Subprocess(named: "valgrind")
        objcopy = try Subprocess(named: "objcopy")
    }

    func count(
        of program: Subprocess,
        _ arguments: [String]
    ) throws -> (count: Int, output: String) {
        let copy = FileManager.default.temporaryDirectory
            .appendingPathComponent("interceptorkit-stripped-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try program.run(by: objcopy, ["--strip-debug"], [copy.path])
        let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
        let output = try Subprocess(path: copy.path).run(by: valgrind, options, arguments)
        let mark = "Collected : "
        guard let line = output.split(separator: "\n").first(where: { $0.contains(mark) }),
            let number = line.components(separatedBy: mark).last.flatMap({ Int($0) })
        else { throw Subprocess.Failure(description: "valgrind counted nothing: \(output)") }
        return (number, output)
    }
}
