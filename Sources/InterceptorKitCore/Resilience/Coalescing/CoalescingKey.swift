/// The identity of an input for a ``CoalescingInterceptor``: a list of parts, compared byte by byte.
///
/// Each part is written with its length before it, so two different lists never give the same key (undici
/// issue 5012).
public struct CoalescingKey: Hashable, Sendable {
    private var bytes: [UInt8] = []

    /// Creates a key.
    /// - Parameter parts: The parts, in order.
    public init(_ parts: String...) { for part in parts { append(part) } }

    /// Adds a part in UTF-8.
    public mutating func append(_ part: String) { append(part.utf8) }

    /// Adds a part as bytes.
    public mutating func append(_ part: some Collection<UInt8>) {
        var length = UInt64(part.count)
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: length))
            length >>= 8
        }
        bytes.append(contentsOf: part)
    }
}
