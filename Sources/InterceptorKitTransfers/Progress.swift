public import InterceptorKit

extension HTTP {
    /// How far an upload or download is.
    public struct Progress: Sendable, Hashable {
        /// The bytes that have gone or come. Fewer than before mean that it begans again.
        public let completedBytes: Int
        /// All bytes, if known.
        public let totalBytes: Int?
        /// The speed in bytes a second, smoothed over some five seconds; `nil` until it was measured.
        public let bytesPerSecond: Double?

        /// Creates a progress.
        /// - Parameters:
        ///   - completedBytes: The bytes that have gone or come.
        ///   - totalBytes: All bytes, if known.
        ///   - bytesPerSecond: The speed, if it was measured.
        public init(completedBytes: Int, totalBytes: Int?, bytesPerSecond: Double? = nil) {
            self.completedBytes = completedBytes
            self.totalBytes = totalBytes
            self.bytesPerSecond = bytesPerSecond
        }

        /// From 0 to 1; `nil` while the total is not known.
        public var fraction: Double? {
            guard let totalBytes else { return nil }
            return totalBytes > 0 ? min(1, Double(completedBytes) / Double(totalBytes)) : 1
        }

        /// How long the rest takes at this speed; `nil` while that cannot be said.
        public var timeLeft: Duration? {
            guard let totalBytes else { return nil }
            guard completedBytes < totalBytes else { return .zero }
            guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
            // Bounded, because a duration of more than some 10²⁰ seconds cannot be said at all.
            let seconds = Double(totalBytes - completedBytes) / bytesPerSecond
            return .seconds(min(seconds, 1e9))
        }
    }
}

extension HTTP.Progress: CustomStringConvertible {
    /// As in `2048 of 4096 bytes (50 %), 1024 bytes/s, 2 s left`.
    public var description: String {
        let total = totalBytes.map { " of \($0)" } ?? ""
        let share = fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
        let speed = bytesPerSecond.map { ", \(Int(min($0, 1e15).rounded())) bytes/s" } ?? ""
        let rest = timeLeft.map { ", \($0.formattedSeconds) left" } ?? ""
        return "\(completedBytes)\(total) bytes\(share)\(speed)\(rest)"
    }
}
