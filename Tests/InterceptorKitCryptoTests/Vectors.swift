#if Crypto
import Foundation

/// The published test vectors, which are not part of the package.
enum Vectors {
    /// `../shared/vectors` beside the package, or where `INTERCEPTORKIT_VECTORS` says.
    private static let folder: URL = {
        if let chosen = ProcessInfo.processInfo.environment["INTERCEPTORKIT_VECTORS"] {
            return URL(fileURLWithPath: chosen)
        }
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        return package.appending(path: "../shared/vectors")
    }()

    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The names of what is in a folder, sorted.
    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path)
            .sorted()
    }

    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: path))
    }
}

/// Bytes of hexadecimal digits; `nil` if they are not.
func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard
            let byte = UInt8(
                String(decoding: digits[index...(index + 1)], as: UTF8.self),
                radix: 16
            )
        else { return nil }
        bytes.append(byte)
    }
    return bytes
}
#endif
