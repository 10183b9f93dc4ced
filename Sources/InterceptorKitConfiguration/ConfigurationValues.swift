#if Configuration
import Configuration
import InterceptorKit

/// Reads the values of a snapshot, and records them to compare snapshots and to name them in errors.
struct ConfigurationValues {
    struct Found: Equatable {
        var text: String
        var shown: String
    }

    private let config: ConfigSnapshotReader
    private(set) var found: [String: Found] = [:]

    init(_ config: ConfigSnapshotReader) { self.config = config }

    mutating func string(
        _ key: String,
        isSecret: Bool = false
    ) throws(ConfigurationError) -> String? {
        try value(key, "a text", isSecret) {
            try $0.requiredString(forKey: $1, isSecret: isSecret)
        }
    }

    mutating func bool(_ key: String) throws(ConfigurationError) -> Bool? {
        try value(key, "true or false") { try $0.requiredBool(forKey: $1) }
    }

    mutating func int(_ key: String) throws(ConfigurationError) -> Int? {
        try value(key, "a whole number") { try $0.requiredInt(forKey: $1) }
    }

    mutating func double(_ key: String) throws(ConfigurationError) -> Double? {
        try value(key, "a number") { config, name in
            do {
                return try config.requiredDouble(forKey: name)
            } catch {
                // A provider may distinguish integers from other numbers.
                guard let whole = config.int(forKey: name) else { throw error }
                return Double(whole)
            }
        }
    }

    mutating func seconds(_ key: String) throws(ConfigurationError) -> Duration? {
        guard let seconds = try double(key) else { return nil }
        // Check before the conversion, which traps on overflow.
        guard seconds >= 0, seconds <= SettingCheck.longest / .seconds(1) else {
            throw .invalid([shown(key)], "It is a time in seconds, from zero to 100 years.")
        }
        return .seconds(seconds)
    }

    /// A key with its value in the form to show.
    func shown(_ key: String) -> (key: String, value: String) {
        (key, found[key]?.shown ?? "nothing")
    }

    private mutating func value<Value>(
        _ key: String,
        _ type: String,
        _ isSecret: Bool = false,
        _ read: (ConfigSnapshotReader, ConfigKey) throws -> Value
    ) throws(ConfigurationError) -> Value? {
        do {
            let value = try read(config, ConfigKey(key))
            found[key] = Found(
                text: "\(value)",
                shown: isSecret ? Redaction.placeholder : shownText(value)
            )
            return value
        } catch {
            if AbsentValue.isReported(by: error) { return nil }
            throw .unreadable(key, isSecret ? nil : text(of: key), as: type)
        }
    }

    private func text(of key: String) -> String? {
        let key = ConfigKey(key)
        return config.string(forKey: key).map(shownText)
            ?? config.int(forKey: key).map(\.description)
            ?? config.double(forKey: key).map(\.description)
            ?? config.bool(forKey: key).map(\.description)
    }
}

/// The error of swift-configuration for an absent value.
///
/// Its type is not public, and the methods that do not throw do not distinguish an absent value from an unreadable one,
/// which must not become a default.
private enum AbsentValue {
    private static let sample: (type: String, label: String?) = {
        let empty = ConfigReader(provider: InMemoryProvider(values: [:]))
        do {
            _ = try empty.requiredString(forKey: "absent")
            return ("", nil)
        } catch {
            return describe(error)
        }
    }()

    static func isReported(by error: any Error) -> Bool { describe(error) == sample }

    private static func describe(_ error: any Error) -> (type: String, label: String?) {
        ("\(type(of: error))", Mirror(reflecting: error).children.first?.label)
    }
}

/// Formats a number as written, or the beginning of a text, with secrets redacted.
private func shownText(_ value: some Any) -> String {
    if let text = value as? String { return HTTP.printable(Redaction.standard.text(text)) }
    let number = "\(value)"
    return number.ends(with: ".0") ? String(number.dropLast(2)) : number
}
#endif
