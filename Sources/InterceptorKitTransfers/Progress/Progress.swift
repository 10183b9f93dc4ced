public import InterceptorKit

extension HTTP {
    /// The progress of an upload or download.
    public struct Progress: Sendable, Hashable {
        /// The number of bytes sent or received. It decreases when the transfer starts over.
        public let completedBytes: Int
        /// The total number of bytes, if known.
        public let totalBytes: Int?
        /// The speed in bytes per second, averaged over about five seconds; `nil` until it is measured.
        public let bytesPerSecond: Double?

        /// Creates a progress value.
        /// - Parameters:
        ///   - completedBytes: The number of bytes sent or received.
        ///   - totalBytes: The total number of bytes, if known.
        ///   - bytesPerSecond: The speed in bytes per second, if measured.
        public init(completedBytes: Int, totalBytes: Int?, bytesPerSecond: Double? = nil) {
            self.completedBytes = completedBytes
            self.totalBytes = totalBytes
            self.bytesPerSecond = bytesPerSecond
        }

        /// The completed fraction, from 0 to 1; `nil` while the total is unknown.
        public var fraction: Double? {
            guard let totalBytes else { return nil }
            return totalBytes > 0 ? min(1, Double(completedBytes) / Double(totalBytes)) : 1
        }

        /// The remaining time at the current speed; `nil` while it is unknown.
        public var timeLeft: Duration? {
            guard let totalBytes else { return nil }
            guard completedBytes < totalBytes else { return .zero }
            guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
            // `Duration` cannot represent more than about 10²⁰ seconds.
            let seconds = Double(totalBytes - completedBytes) / bytesPerSecond
            return .seconds(min(seconds, 1e9))
        }
    }
}

extension HTTP.Progress: CustomStringConvertible {
    /// A text such as `2048 of 4096 bytes (50 %), 1024 bytes/s, 2 s left`.
    public var description: String {
        let total = totalBytes.map { " of \($0)" } ?? ""
        let share = fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
        let speed = bytesPerSecond.map { ", \(Int(min($0, 1e15).rounded())) bytes/s" } ?? ""
        let rest = timeLeft.map { ", \($0.formattedSeconds) left" } ?? ""
        return "\(completedBytes)\(total) bytes\(share)\(speed)\(rest)"
    }
}
