import InterceptorKit
import InterceptorKitTesting

/// Loses one of four backends under load: `check` runs it, with haproxy and Envoy beside it.
@main
struct Endpoints {
    static func main() async throws {
        let options = try Options(CommandLine.arguments.dropFirst())
        switch options.command {
        case "backend": try await Backend.run(options)
        case "port": print(try LoopbackServer { _ in .status(200) }.port)
        case "load": try await Load(options).run()
        default: throw UsageError()
        }
    }
}

/// A command with `--name value` pairs.
struct Options {
    let command: String?
    private var values: [String: String] = [:]

    init(_ words: ArraySlice<String>) throws {
        command = words.first
        var rest = words.dropFirst()
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else { throw UsageError() }
            values[String(name.dropFirst(2))] = value
        }
    }

    func text(_ name: String) throws -> String {
        guard let value = values[name] else { throw UsageError() }
        return value
    }

    func number(_ name: String) throws -> Int {
        guard let number = Int(try text(name)) else { throw UsageError() }
        return number
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description = """
        Endpoints backend --files PREFIX --port PORT
        Endpoints port
        Endpoints load --by CONTENDER --fault NAME --ports 1,2,3,4 --files FOLDER --attempt-timeout MS \
        --rate N --seconds N
        """
}
