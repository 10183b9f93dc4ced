public import InterceptorKit

extension HTTP {
    /// The SHA-256 of content (FIPS 180-4).
    public struct Checksum: Sendable, Hashable {
        /// The 32 bytes.
        public let bytes: [UInt8]

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// Creates a checksum from 64 hexadecimal digits, as file publishers state them; `nil` for any other text.
        public init?(sha256 text: String) {
            let digits = text.compactMap(\.hexDigitValue)
            guard digits.count == 64, text.utf8.count == 64 else { return nil }
            bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }

        /// Computes the checksum of content.
        public init(of content: some Sequence<UInt8>) {
            var running = RunningChecksum()
            running.update(content)
            self = running.finalize()
        }
    }
}

extension HTTP.Checksum: CustomStringConvertible {
    /// The checksum as 64 hexadecimal digits, in lower case.
    public var description: String { bytes.hexadecimal }
}

struct RunningChecksum {
    private var hash = RunningHash(.sha256)

    mutating func update(_ bytes: some Sequence<UInt8>) { hash.update(bytes) }

    consuming func finalize() -> HTTP.Checksum { HTTP.Checksum(bytes: Array(hash.finalize())) }
}
