import Foundation
import InterceptorKitInspection
import TestRun
import TestSupport

/// Chromium without a window; not part of the package.
enum Browser {
    private static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether there is one, for a test's `.enabled(if:)`.
    static var isThere: Bool { path != nil }

    /// What a page had become after its scripts ran, and what these wrote to the console.
    /// - Parameter width: The window's width in pixels.
    static func open(
        _ page: String,
        at fragment: String = "",
        width: Int = 1280
    ) async throws -> (
        document: String, console: [Substring]
    ) {
        let folder = try Folder()
        try folder.write(Data(page.utf8), to: "page.html")
        let arguments = [
            "timeout", "-k", "5", "240", path ?? "chromium", "--headless", "--no-sandbox",
            "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=\(folder["profile"])",
            "--window-size=\(width),900", "--virtual-time-budget=3000", "--enable-logging=stderr",
            "--dump-dom",
            "file://\(folder["page.html"])\(fragment)",
        ]
        let (output, errors) = (folder["output"], folder["errors"])
        for file in ["output", "errors"] {
            try folder.write(Data(), to: file)
        }
        try await besideOtherTests {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.standardOutput = FileHandle(forWritingAtPath: output)
            process.standardError = FileHandle(forWritingAtPath: errors)
            try process.run()
            process.waitUntilExit()
        }
        func text(_ name: String) -> String {
            String(decoding: folder.content(name) ?? Data(), as: UTF8.self)
        }
        return (
            text("output"), text("errors").split(separator: "\n").filter { $0.contains("CONSOLE") }
        )
    }
}
