import Foundation

/// The orders that were made: one file each, in a folder that the replicas share, in place of a database.
struct Ledger: Sendable {
    let folder: String

    /// Makes the order of a request, unless it is there, in one step.
    /// - Parameters:
    ///   - content: What was ordered.
    ///   - record: The name of the request's record, which no two orders have.
    ///   - token: The fencing token of the holder that makes it.
    /// - Returns: The order as it is in the ledger.
    func make(_ content: String, of record: String, token: Int64) throws -> String {
        let path = "\(folder)/\(record)"
        let draft = "\(path).\(token)"
        try Data("\(content) under \(token)".utf8).write(to: URL(fileURLWithPath: draft))
        // A link is made once, and whole.
        _ = try? FileManager.default.linkItem(atPath: draft, toPath: path)
        try FileManager.default.removeItem(atPath: draft)
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// All orders, with whatever a replica left behind that was killed.
    func orders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { !$0.contains(".") }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
    }
}
