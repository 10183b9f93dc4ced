extension Duration {
    /// The duration in seconds.
    package var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }

    /// Seconds with up to three decimals, as in `0.05 s`.
    package var formattedSeconds: String {
        let thousandths = (inSeconds * 1000).rounded()
        let text = "\(thousandths / 1000)"
        return (text.rest(before: ".0").map(String.init) ?? text) + " s"
    }
}
