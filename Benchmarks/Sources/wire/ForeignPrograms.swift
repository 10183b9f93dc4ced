import Foundation

/// The programs in other languages, built in a folder of this process's own.
struct ForeignPrograms {
    /// The clients; one whose program could not be built says why in its rows.
    let clients: [ClientProcess]
    private let folder: URL

    // Where Debian's packages put the sources of crates.
    private static let crates = "/usr/share/cargo/registry"
    // A build with tokio takes a minute on two cores.
    private static let limit = 300.0

    /// Builds them.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("interceptorkit-wire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        clients = [
            ClientProcess("Go", built { try ForeignPrograms.go(in: folder) }),
            ClientProcess("hyper", built { try ForeignPrograms.rust(in: folder) }),
        ]
    }

    /// Removes what was built.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func go(in folder: URL) throws -> Subprocess {
        let compiler = try Subprocess(named: "go")
        let sources = try copy("go", to: folder)
        let alone = ["GOPROXY": "off", "GOTOOLCHAIN": "local", "GOWORK": "off"]
        try compiler.run(
            ["build", "-o", "wire"],
            in: sources,
            environment: alone,
            limit: limit
        )
        return Subprocess(path: sources.appendingPathComponent("wire").path)
    }

    private static func rust(in folder: URL) throws -> Subprocess {
        let compiler = try Subprocess(named: "cargo")
        let sources = try copy("rust", to: folder)
        var options = ["build", "--release", "--offline", "--quiet", "--target-dir", "target"]
        if FileManager.default.fileExists(atPath: crates) {
            options += [
                "--config", "source.crates-io.replace-with='debian'",
                "--config", "source.debian.directory='\(crates)'",
            ]
        }
        try compiler.run(options, in: sources, limit: limit)
        return Subprocess(path: sources.appendingPathComponent("target/release/wire").path)
    }

    /// A copy, so that no compiler writes among the sources.
    private static func copy(_ name: String, to folder: URL) throws -> URL {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let copy = folder.appendingPathComponent(name)
        let sources = package.appendingPathComponent("Programs/\(name)")
        try FileManager.default.copyItem(at: sources, to: copy)
        return copy
    }
}

private func built(_ build: () throws -> Subprocess) -> Result<Subprocess, any Error> {
    Result(catching: build).mapError { NotInstalled(reason: "\($0)") }
}

/// Why there is no program.
private struct NotInstalled: Error, CustomStringConvertible {
    let reason: String

    var description: String { "not installed: \(reason)" }
}
