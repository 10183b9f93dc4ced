extension Duration {
    // `components` and `description` trap on durations of more than 2^63 seconds.

    /// The duration in seconds.
    package var inSeconds: Double { self / .seconds(1) }

    /// The whole seconds in the duration, rounded toward zero; the nearest possible number if there are too many.
    package var wholeSeconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000_000) }

    /// The whole seconds in the duration, rounded up; the nearest possible number if there are too many.
    package var secondsRoundedUp: Int64 {
        let whole = wholeSeconds
        return attoseconds > 0 && .seconds(whole) < self ? whole.saturatingAdding(1) : whole
    }

    /// Seconds with up to three decimals, as in `0.05 s`.
    package var formattedSeconds: String {
        let thousandths = (inSeconds * 1000).rounded()
        let text = "\(thousandths / 1000)"
        return (text.rest(before: ".0").map(String.init) ?? text) + " s"
    }
}
