extension Sequence<Double> {
    /// The value below which a part of the values lies, by the nearest rank; `nan` if there are none.
    public func percentile(_ percent: Double) -> Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        let rank = (percent / 100 * Double(sorted.count)).rounded(.up)
        return sorted[Swift.min(Swift.max(Int(rank), 1), sorted.count) - 1]
    }

    /// The middle value; the mean of the middle two if their number is even.
    public var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension Duration {
    /// This time in seconds.
    public var inSeconds: Double { self / .seconds(1) }
}
