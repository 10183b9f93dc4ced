package import Foundation

/// The published test vectors, which are not part of the package.
package enum Vectors {
    /// Where `INTERCEPTORKIT_VECTORS` says, or the first there is: `.vectors` in the package, as
    /// `Scripts/fetch-vectors` makes it, and `../shared/vectors` beside it.
    private static let folder: URL = {
        if let chosen = ProcessInfo.processInfo.environment["INTERCEPTORKIT_VECTORS"] {
            return URL(fileURLWithPath: chosen)
        }
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        let own = package.appending(path: ".vectors")
        let isThere = FileManager.default.fileExists(atPath: own.path)
        return isThere ? own : package.appending(path: "../shared/vectors")
    }()

    /// Whether a file or folder of them is at hand.
    package static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    package static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }

    /// The names of what is in a folder and has that ending, sorted.
    package static func names(in path: String, ending: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
            .filter { ending.isEmpty || $0.hasSuffix(ending) }
            .sorted()
    }
}
