import Loading
import Reporting

/// How the engines' rates stand to those of what they are measured by.
struct EngineRatios: CustomStringConvertible {
    private struct Ratio {
        let engine: String
        let contender: String
        let words: String
        let other: String
    }

    private static let ratios = [
        Ratio(engine: "curl", contender: "CurlTransport", words: "data(for:)", other: "data(for:)"),
        Ratio(
            engine: "curl",
            contender: "CurlTransport",
            words: "libcurl in C",
            other: "libcurl in C"
        ),
        Ratio(
            engine: "curl",
            contender: "CurlTransport",
            words: "bare AsyncHTTPClient",
            other: "AsyncHTTPClient"
        ),
        Ratio(
            engine: "ahc",
            contender: "AsyncHTTPClientTransport",
            words: "bare AsyncHTTPClient",
            other: "AsyncHTTPClient"
        ),
    ]
    // Many requests at once are what an engine is chosen for, and small ones show its own cost.
    private static let judged = "small, 64 in flight"

    private let compared: [Compared]

    init(_ compared: [Compared]) { self.compared = compared }

    var description: String {
        var table = Table(["req/s, times those of"] + compared.map(\.load.name))
        for ratio in EngineRatios.ratios {
            table.append(
                ["\(ratio.engine) to \(ratio.words)"] + compared.map { text(ratio, in: $0) }
            )
        }
        let conclusions = EngineRatios.ratios.map { ratio in
            let part = compared.first { $0.load.name == EngineRatios.judged }
            let value = part.map { text(ratio, in: $0) } ?? "not measured"
            return "engine \(ratio.engine) to \(ratio.words): \(value)"
        }
        return (["\(table)", "", "With \(EngineRatios.judged):"] + conclusions)
            .joined(separator: "\n")
    }

    private func text(_ ratio: Ratio, in part: Compared) -> String {
        let value = part.ratio(of: ratio.contender, to: ratio.other)
        return value.isNaN ? "not measured" : value.text(digits: 2)
    }
}
