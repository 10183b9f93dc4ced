/// A command line of `--name value` pairs.
///
/// Names are read one by one; ``end()`` refuses what nobody asked for, so that a misspelt option is not
/// silently a default.
public struct Arguments {
    private let usage: String
    private var given: [String: String] = [:]

    /// Takes the command line apart.
    /// - Parameter usage: What an error shows.
    public init(usage: String, _ words: [String] = Array(CommandLine.arguments.dropFirst())) throws
    {
        self.usage = usage
        var rest = words[...]
        while let name = rest.popFirst() {
            guard name.hasPrefix("--"), let value = rest.popFirst() else {
                throw ArgumentError(description: "\(name) is not an option with a value.\n\(usage)")
            }
            given[String(name.dropFirst(2))] = value
        }
    }

    /// A positive number, or its default.
    public mutating func number(_ name: String, default value: Int) throws -> Int {
        guard let text = given.removeValue(forKey: name) else { return value }
        guard let number = Int(text.filter { $0 != "," && $0 != "_" }), number > 0 else {
            throw ArgumentError(description: "--\(name) must be a positive number.\n\(usage)")
        }
        return number
    }

    /// A word, or its default.
    public mutating func word(_ name: String, default value: String) -> String {
        given.removeValue(forKey: name) ?? value
    }

    /// Throws if options are left that were not read.
    public func end() throws {
        guard let name = given.keys.sorted().first else { return }
        throw ArgumentError(description: "There is no option --\(name).\n\(usage)")
    }
}

/// A command line that cannot be followed.
public struct ArgumentError: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error.
    public init(description: String) { self.description = description }
}
