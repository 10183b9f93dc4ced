import Reporting

/// What the memory's growth comes to.
struct SoakConclusion: CustomStringConvertible {
    private let requests: Int
    private let growth: Growth
    private let foundation: Growth

    init(requests: Int, of growth: Growth, foundation: Growth) {
        self.requests = requests
        self.growth = growth
        self.foundation = foundation
    }

    var description: String {
        let rest = growth - foundation
        var table = Table(["bytes a request left behind", "all", "Foundation's own", "the rest"])
        table.append(["resident"] + [growth, foundation, rest].map { text($0.resident) })
        table.append(["heap in use"] + [growth, foundation, rest].map { text($0.heap) })
        return """
            \(table)

            soak: \(requests) requests, \(text(rest.resident)) resident bytes and \(text(rest.heap)) \
            of heap a request beyond what Foundation leaves
            """
    }

    private func text(_ bytes: Double?) -> String { bytes?.text(digits: 1) ?? "unknown" }
}
