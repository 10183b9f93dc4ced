import Foundation

/// Stand-ins for the system's libcurl, made with its C compiler, and what a transport says of them.
///
/// Each defines what it changes and needs the real one for the rest, under another name.
struct OtherLibcurl: ~Copyable {
    static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"]
        .first(where: FileManager.default.isExecutableFile)

    private let folder: URL

    /// - Parameter source: C that defines what is other; `nil` for a library that cannot be opened.
    init(_ source: String?) async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "InterceptorKitCurl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let source else {
            for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
                try Data("not a library".utf8).write(to: folder.appending(path: name))
            }
            return
        }
        try Data(source.utf8).write(to: folder.appending(path: "other.c"))
        _ = try await run(
            "/bin/sh",
            [
                "-ec",
                """
                real=$(ldconfig -p | sed -n 's/.*libcurl\\.so\\.4 .* => //p' | head -n 1)
                : > empty.c
                \(Self.compiler ?? "cc") -shared -o libreal.so -Wl,-soname,libreal.so empty.c
                \(Self.compiler ?? "cc") -shared -fPIC -o libcurl.so.4 other.c \
                    -Wl,--no-as-needed -L. -lreal -Wl,-rpath,"$PWD"
                cp "$real" libreal.so
                """,
            ]
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What the probe says in a process that finds this library first.
    func probed(_ arguments: String...) async throws -> String {
        let probe = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "CurlProbe")
        return try await run(probe.path, arguments, ["LD_LIBRARY_PATH": folder.path])
    }

    private func run(
        _ path: String,
        _ arguments: [String],
        _ added: [String: String] = [:]
    ) async throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(added) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        guard process.terminationStatus == 0 else {
            throw ProbeFailed(command: path, status: process.terminationStatus)
        }
        return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }
}

struct ProbeFailed: Error {
    var command: String
    var status: Int32
}
