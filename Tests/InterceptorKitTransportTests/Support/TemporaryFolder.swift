import BoundedWaits
import Foundation

/// A folder of a test's own, gone with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appending(path: "InterceptorKitTests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

    func file(_ name: String, _ content: Data) throws -> String {
        let file = path + "/" + name
        try content.write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Whether nothing is in the folder any more. A call that is cancelled ends before what reads its body
    /// has let go of its file.
    func isEmptied() async -> Bool { await eventually { contents == [] } }
}

/// The descriptors and threads of this process, where the system tells.
enum OwnProcess {
    static var descriptors: Int? { count("fd") }
    static var threads: Int? { count("task") }

    /// The files that are open in a folder, also those taken out of it.
    static func openFiles(in folder: String) -> [String] {
        let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return links.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder) }
    }

    /// Whether no file in a folder is open any more, which the engine sees to a moment after its answer.
    static func closesFiles(in folder: String) async -> Bool {
        await eventually { openFiles(in: folder).isEmpty }
    }

    private static func count(_ name: String) -> Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(name)").count
    }
}
