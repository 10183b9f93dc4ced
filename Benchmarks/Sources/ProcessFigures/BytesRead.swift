import Foundation

/// What this process has read, as Linux counts it.
public enum BytesRead {
    /// The bytes that calls such as `read` returned so far, from the disk or from memory.
    public static func total() throws -> Int {
        let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("rchar: ") }
        guard let bytes = line.flatMap({ Int($0.dropFirst("rchar: ".count)) }) else {
            throw MissingFigure(name: "rchar")
        }
        return bytes
    }
}
