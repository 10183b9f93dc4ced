public import Reporting

extension Engine {
    /// Every engine; the first is the default.
    public static let all: [Engine] = [.urlSession, .curl] + withTraits

    private static var withTraits: [Engine] {
        #if AsyncHTTPClient
        [.asyncHTTPClient]
        #else
        []
        #endif
    }

    /// What a usage shows.
    public static var names: String { all.map(\.name).joined(separator: "|") }

    /// Reads `--engine`.
    public static func chosen(in arguments: inout Arguments) throws -> Engine {
        let name = arguments.word("engine", default: all[0].name)
        guard let engine = all.first(where: { $0.name == name }) else {
            throw ArgumentError(description: "There is no engine \(name); there is \(names).")
        }
        return engine
    }
}
