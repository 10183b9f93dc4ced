import Loading
import Reporting

/// What the figures come to.
struct Ratios: CustomStringConvertible {
    private let compared: [Compared]
    private let own: String
    private let others: [String]

    /// Takes the ratios of one contender's rates to those of others, the first of which is judged by.
    init(_ compared: [Compared], of own: String, to others: [String]) {
        self.compared = compared
        self.own = own
        self.others = others
    }

    var description: String {
        ([table.description, ""] + conclusions).joined(separator: "\n")
    }

    private var table: Table {
        var table = Table(["\(own)'s req/s, times those of"] + others)
        for part in compared {
            table.append(
                [part.load.name]
                    + others.map { part.ratio(of: own, to: $0).text(digits: 2) }
            )
        }
        return table
    }

    private var conclusions: [String] {
        [
            "transport small-body ratio to data(for:): \(ratio(at: "small, 1 in flight"))",
            "transport 1 MiB ratio to data(for:): \(ratio(at: "1 MiB, 8 in flight"))",
        ]
    }

    private func ratio(at load: String) -> String {
        let part = compared.first { $0.load.name == load }
        return part.map { $0.ratio(of: own, to: others[0]).text(digits: 2) } ?? "not measured"
    }
}
