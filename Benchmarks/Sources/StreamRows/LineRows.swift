import Foundation
import InterceptorKit
import InterceptorKitStreaming
public import Measuring

/// Lines of one length, read by ours and by what one would write by hand.
public struct LineRows: Sendable {
    /// The bytes that one repetition reads.
    public let byteCount: Int
    /// Ours, by hand, and the least that any reader does.
    public let workloads: [Workload]

    /// Makes about a mebibyte of lines.
    /// - Parameter length: The bytes of a line, without its ending.
    public init(length: Int) {
        let count = (1 << 20) / (length + 1)
        let line = Data(String(repeating: "x", count: length).utf8) + Data("\n".utf8)
        let bytes = (0..<count).reduce(into: Data()) { bytes, _ in bytes.append(line) }
        let chunks = Chunks(bytes)
        byteCount = bytes.count
        workloads = [
            Workload("body.lines", answer: bytes.count - count) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    for try await line in HTTP.Body.oneShot(chunks).lines { sum += line.utf8.count }
                }
                return sum
            },
            Workload("byte by byte, by hand", answer: bytes.count - count) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    var line: [UInt8] = []
                    for try await chunk in HTTP.Body.oneShot(chunks) {
                        for byte in chunk {
                            guard byte == UInt8(ascii: "\n") else {
                                line.append(byte)
                                continue
                            }
                            sum += String(decoding: line, as: UTF8.self).utf8.count
                            line = []
                        }
                    }
                }
                return sum
            },
            Workload("ideal: counts LF by memchr", answer: count) { repetitions in
                var sum = 0
                for _ in 0..<repetitions {
                    for try await chunk in HTTP.Body.oneShot(chunks) {
                        sum += Self.lineFeeds(in: chunk)
                    }
                }
                return sum
            },
        ]
    }

    static func lineFeeds(in chunk: Data) -> Int {
        chunk.withUnsafeBytes { bytes in
            guard var position = bytes.baseAddress else { return 0 }
            let end = position + bytes.count
            var count = 0
            while let found = memchr(position, 10, end - position) {
                count += 1
                position = UnsafeRawPointer(found) + 1
            }
            return count
        }
    }
}
