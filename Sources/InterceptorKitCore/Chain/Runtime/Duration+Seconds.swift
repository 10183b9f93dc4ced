extension Duration {
    // `components` and `description` trap on durations of more than 2^63 seconds.

    /// The duration in seconds.
    package var inSeconds: Double { self / .seconds(1) }

    /// The whole seconds in the duration, rounded toward zero and clamped to the range of `Int64`.
    package var wholeSeconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000_000) }

    /// The whole seconds in the duration, rounded up and clamped to the range of `Int64`.
    package var secondsRoundedUp: Int64 {
        let whole = wholeSeconds
        return attoseconds > 0 && .seconds(whole) < self ? whole.saturatingAdding(1) : whole
    }

    /// The seconds with up to three decimals, as in `0.05 s`; below a millisecond with up to six, as in `0.000213 s`.
    package var formattedSeconds: String {
        if self > .zero, self < .milliseconds(1) {
            let digits = String(Int((inSeconds * 1_000_000).rounded()))
            let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            let end = padded.lastIndex { $0 != "0" }
            if let end, digits.count < 4 { return "0.\(padded[...end]) s" }
        }
        let thousandths = (inSeconds * 1000).rounded()
        let text = "\(thousandths / 1000)"
        return (text.rest(before: ".0").map(String.init) ?? text) + " s"
    }
}
