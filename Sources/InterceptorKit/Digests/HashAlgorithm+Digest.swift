extension HashAlgorithm {
    /// The digest of a hash or an HMAC: 16 to 64 bytes, held without allocating.
    ///
    /// Comparing two digests takes a time that does not reveal how much of them matches.
    public struct Digest: Sendable {
        // Safety: `count` is at most 64, the size of `bytes`, and pointers to them stay within a call.

        private var bytes = Block64()
        public let count: Int

        init(count: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
            self.count = count
            unsafe withUnsafeMutableBytes(of: &bytes) { bytes in
                unsafe fill(bytes)
                // A truncated function writes more than `count` bytes.
                unsafe bytes[count...].initializeMemory(as: UInt8.self, repeating: 0)
            }
        }

        /// The digest as lower-case hexadecimal digits, two for each byte.
        public var hexadecimal: String { self[...].hexadecimal }
    }
}

extension HashAlgorithm.Digest: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }
    public subscript(position: Int) -> UInt8 { bytes[position] }

    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe withUnsafeBytes(of: bytes) { all in
            try unsafe body(UnsafeBufferPointer(rebasing: all.bindMemory(to: UInt8.self)[..<count]))
        }
    }
}

extension HashAlgorithm.Digest: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.isEqual(left, right)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension HashAlgorithm.Digest: CustomStringConvertible {
    /// The digest as hexadecimal digits.
    public var description: String { hexadecimal }
}
