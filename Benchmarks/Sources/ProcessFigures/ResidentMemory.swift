import Foundation
import HeapUse

/// The memory of this process, as Linux counts it.
public enum ResidentMemory {
    /// The bytes resident now.
    public static func current() throws -> Int { try status("VmRSS") }

    /// The most bytes that were resident at any moment since ``resetPeak()``.
    public static func peak() throws -> Int { try status("VmHWM") }

    /// Starts a new search for the peak.
    public static func resetPeak() throws {
        // Five means: the peak, to the present value (proc_pid_clear_refs(5)).
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    /// The bytes allocated and not freed; `nil` where the C library does not say.
    ///
    /// A leak shows here to the byte, while resident memory moves in pages and with fragmentation.
    public static func heapInUse() -> Int? {
        let bytes = heap_use_bytes()
        return bytes < 0 ? nil : Int(bytes)
    }

    /// Gives the pages of freed memory back to the system, so that what is resident is in use.
    public static func trim() { heap_trim() }

    private static func status(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        let kibibytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        guard let bytes = kibibytes.flatMap({ Int($0) }) else { throw MissingFigure(name: name) }
        return bytes << 10
    }
}

/// A figure that this system does not give.
public struct MissingFigure: Error, CustomStringConvertible {
    let name: String

    public var description: String { "This system does not tell \(name) of a process." }
}
