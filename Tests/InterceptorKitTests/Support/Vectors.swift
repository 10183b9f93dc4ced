import Foundation

/// The published test vectors, which are not part of the package.
enum Vectors {
    /// `../shared/vectors` beside the package, or where `INTERCEPTORKIT_VECTORS` says.
    private static let folder: URL = {
        if let chosen = ProcessInfo.processInfo.environment["INTERCEPTORKIT_VECTORS"] {
            return URL(fileURLWithPath: chosen)
        }
        let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        return package.appending(path: "../shared/vectors")
    }()

    /// Whether a set is at hand, for a test's `.enabled(if:)`.
    static func has(_ set: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: set).path)
    }

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }

    /// The names of a folder's files with that ending, sorted.
    static func names(in path: String, ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
            .filter { $0.hasSuffix(ending) }
            .sorted()
    }
}

/// What a run of published vectors came to.
struct Conformance {
    let name: String
    private(set) var passed = 0
    private(set) var failures: [String] = []
    private(set) var skipped = 0

    init(_ name: String) { self.name = name }

    mutating func note(_ isRight: Bool, _ row: @autoclosure () -> String) {
        if isRight { passed += 1 } else { failures.append(row()) }
    }

    mutating func skip() { skipped += 1 }

    var summary: String {
        "conformance \(name): \(passed) passed, \(failures.count) failed, \(skipped) skipped"
    }
}

/// Bytes of hexadecimal digits; `nil` if they are not.
func bytes(hexadecimal text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = value(ofDigit: digits[index]), let low = value(ofDigit: digits[index + 1])
        else { return nil }
        bytes.append(high << 4 | low)
    }
    return bytes
}

private func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
