import InterceptorKit

/// A shared config or credentials file, parsed as in the AWS CLI.
///
/// Lines are `[section]`, `name = value` or `name: value`, or begin with `#` or `;`. A line with a deeper indentation
/// than the line of its name continues the value. After an empty value, such lines are nested settings, one level deep.
/// Duplicate and unreadable lines are errors, because a mistake in a file could lead to another identity.
struct ConfigFile: Equatable {
    /// The values of a section by lower-case name.
    struct Section: Equatable {
        var values: [String: String] = [:]
        /// The nested settings below a name, such as `s3 =`.
        var nested: [String: [String: String]] = [:]

        subscript(name: String) -> String? { values[name] }
    }

    private(set) var sections: [(name: String, section: Section)] = []

    /// - Throws: An error with the line and the problem, but not the line's text, which may be a secret.
    init(_ text: String) throws(ConfigFileError) {
        var reader = Reader()
        var number = 0
        for line in text.configLines {
            number += 1
            try reader.take(line, number)
        }
        sections = try reader.end()
    }

    subscript(name: String) -> Section? { sections.last { $0.name == name }?.section }

    static func == (left: ConfigFile, right: ConfigFile) -> Bool {
        left.sections.elementsEqual(right.sections, by: ==)
    }
}

/// A problem with a line of a config file.
struct ConfigFileError: Error, Equatable {
    let line: Int
    let problem: String
}

extension String {
    /// The lines, separated by CR LF, LF or CR.
    fileprivate var configLines: [Substring.UTF8View] {
        let returned = UInt8(ascii: "\r")
        var previous: UInt8 = 0
        var lines: [Substring.UTF8View] = []
        var start = utf8.startIndex
        for index in utf8.indices {
            let byte = utf8[index]
            if byte == UInt8(ascii: "\n"), previous == returned {
                start = utf8.index(after: index)
            } else if byte == UInt8(ascii: "\n") || byte == returned {
                lines.append(self[start..<index].utf8)
                start = utf8.index(after: index)
            }
            previous = byte
        }
        return lines + [self[start...].utf8]
    }
}

private struct Reader {
    private struct Entry {
        let name: String
        let indent: Int
        let line: Int
        var lines: [String]
    }

    private var sections: [(name: String, section: ConfigFile.Section)] = []
    private var names: Set<String> = []
    private var entry: Entry?

    mutating func take(_ line: Substring.UTF8View, _ number: Int) throws(ConfigFileError) {
        let text = line.trimmed
        guard let first = text.first else {
            entry?.lines.append("")
            return
        }
        guard first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return }
        let indent = line.prefix { $0.isConfigBlank }.count
        if let open = entry, indent > open.indent {
            entry?.lines.append(String(text) ?? "")
            return
        }
        try close()
        if first == UInt8(ascii: "["), let end = text.lastIndex(of: UInt8(ascii: "]")),
            text.index(after: text.startIndex) < end
        {
            let name = String(text[text.index(after: text.startIndex)..<end]) ?? ""
            guard names.insert(name).inserted else {
                throw ConfigFileError(line: number, problem: "has a section that was there before")
            }
            sections.append((name, ConfigFile.Section()))
            return
        }
        guard !sections.isEmpty else {
            throw ConfigFileError(line: number, problem: "is before the first section")
        }
        let isSeparator: (UInt8) -> Bool = { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }
        guard let separator = text.firstIndex(where: isSeparator) else {
            throw ConfigFileError(line: number, problem: "is not a name and a value")
        }
        let name = (String(text[..<separator].trimmed) ?? "").lowercased()
        guard !name.isEmpty else {
            throw ConfigFileError(line: number, problem: "has no name")
        }
        let value = String(text[text.index(after: separator)...].trimmed) ?? ""
        entry = Entry(name: name, indent: indent, line: number, lines: [value])
    }

    mutating func end() throws(ConfigFileError) -> [(name: String, section: ConfigFile.Section)] {
        try close()
        return sections
    }

    private mutating func close() throws(ConfigFileError) {
        guard let entry else { return }
        self.entry = nil
        var section = sections.removeLast()
        let isKnown =
            section.section.values[entry.name] != nil || section.section.nested[entry.name] != nil
        guard !isKnown else {
            throw ConfigFileError(line: entry.line, problem: "has a name that was there before")
        }
        var lines = entry.lines
        while lines.count > 1, lines.last == "" { lines.removeLast() }
        if lines.count > 1, lines[0].isEmpty {
            section.section.nested[entry.name] = try nested(lines, entry.line)
        } else {
            section.section.values[entry.name] = lines.joined(separator: "\n")
        }
        sections.append(section)
    }

    private func nested(
        _ lines: [String],
        _ number: Int
    ) throws(ConfigFileError) -> [String: String] {
        var values: [String: String] = [:]
        for line in lines where !line.isEmpty {
            guard let separator = line.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw ConfigFileError(line: number, problem: "is followed by no name and value")
            }
            let name = String(line.utf8[..<separator].trimmed) ?? ""
            values[name] = String(line.utf8[line.utf8.index(after: separator)...].trimmed) ?? ""
        }
        return values
    }
}

extension UInt8 {
    fileprivate var isConfigBlank: Bool { self == 0x20 || 0x09...0x0D ~= self }
}

extension Substring.UTF8View {
    fileprivate var trimmed: Substring.UTF8View {
        var rest = self
        while rest.first?.isConfigBlank ?? false { rest.removeFirst() }
        while rest.last?.isConfigBlank ?? false { rest.removeLast() }
        return rest
    }
}
