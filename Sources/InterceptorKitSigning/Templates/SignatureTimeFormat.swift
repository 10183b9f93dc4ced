import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The format for the time of a signature.
public struct SignatureTimeFormat: Sendable, Hashable {
    private enum Kind: Sendable, Hashable {
        case seconds
        case milliseconds
        case http
        // Split when the format is created: runs of one letter, and literal characters.
        case pattern([String])
    }

    private let kind: Kind

    /// Seconds since 1970.
    public static let seconds = SignatureTimeFormat(kind: .seconds)
    /// Milliseconds since 1970.
    public static let milliseconds = SignatureTimeFormat(kind: .milliseconds)
    /// An HTTP date, as in `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    public static let http = SignatureTimeFormat(kind: .http)
    /// A date and time, as in `1994-11-06T08:49:37Z`.
    public static let iso8601 = pattern("yyyy-MM-ddTHH:mm:ssZ")
    /// A day, as in `1994-11-06`.
    public static let day = pattern("yyyy-MM-dd")

    /// Returns a custom format.
    /// - Parameter pattern: The format. `yyyy`, `MM`, `dd`, `HH`, `mm` and `ss` are parts of the time in UTC. All other
    ///   characters are literal.
    public static func pattern(_ pattern: String) -> SignatureTimeFormat {
        SignatureTimeFormat(kind: .pattern(runs(of: pattern)))
    }

    func text(_ milliseconds: Int) -> String {
        let seconds = SigningTimestamp.floor(milliseconds, 1000)
        switch kind {
        case .seconds: return "\(seconds)"
        case .milliseconds: return "\(milliseconds)"
        case .http: return SigningTimestamp(seconds: seconds).httpDate
        case .pattern(let runs):
            let time = SigningTimestamp(seconds: seconds)
            var text = CanonicalWriter(capacity: 32)
            for run in runs { time.write(run, to: &text) }
            return text.string
        }
    }

    /// Parses a text to milliseconds since 1970; `nil` if it has another format or the format has no seconds.
    func milliseconds(_ text: String) -> Int? {
        switch kind {
        case .seconds: return number(text).map { $0 * 1000 }
        case .milliseconds: return number(text)
        case .http: return SigningTimestamp.httpDate(text).map { $0 * 1000 }
        case .pattern(let runs):
            return SigningTimestamp.seconds(text, runs).map { $0 * 1000 }
        }
    }

    /// Whether the format has seconds, so that a verifier can check the age of a signature.
    var hasSeconds: Bool {
        if case .pattern(let runs) = kind { runs.contains { $0.begins(with: "ss") } } else { true }
    }

    private func number(_ text: String) -> Int? {
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ 48...57 ~= $0 }),
            let number = Int(text), "\(number)" == text
        else { return nil }
        return number
    }

    private static func runs(of pattern: String) -> [String] {
        var runs: [String] = []
        for character in pattern {
            if let last = runs.last?.last, last == character, "yMdHms".contains(character) {
                runs[runs.count - 1].append(character)
            } else {
                runs.append(String(character))
            }
        }
        return runs
    }
}

extension SigningTimestamp {
    /// Reads a time as `20150830T123600Z`; `nil` if the text is another.
    package init?(basic text: String) {
        let format = SignatureTimeFormat.pattern("yyyyMMddTHHmmssZ")
        guard let milliseconds = format.milliseconds(text) else { return nil }
        self.init(seconds: Self.floor(milliseconds, 1000))
    }

    static func floor(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    fileprivate func write(_ run: String, to text: inout CanonicalWriter) {
        switch run {
        case "yyyy": text.append(year, digits: 4)
        case "MM": text.append(month, digits: 2)
        case "dd": text.append(day, digits: 2)
        case "HH": text.append(hour, digits: 2)
        case "mm": text.append(minute, digits: 2)
        case "ss": text.append(second, digits: 2)
        default: text.append(run)
        }
    }

    fileprivate static func seconds(_ text: String, _ runs: [String]) -> Int? {
        var rest = text.utf8[...]
        var parts: [String: Int] = [:]
        for run in runs {
            let taken = rest.prefix(run.utf8.count)
            guard taken.count == run.utf8.count else { return nil }
            rest = rest.dropFirst(taken.count)
            if ["yyyy", "MM", "dd", "HH", "mm", "ss"].contains(run) {
                guard taken.allSatisfy({ 48...57 ~= $0 }), let value = Int(String(Substring(taken)))
                else { return nil }
                parts[run] = value
            } else if !taken.elementsEqual(run.utf8) {
                return nil
            }
        }
        guard rest.isEmpty, let year = parts["yyyy"], let month = parts["MM"],
            let day = parts["dd"],
            let hour = parts["HH"], let minute = parts["mm"], let second = parts["ss"],
            1...12 ~= month, hour < 24, minute < 60, second < 60, year > 0
        else { return nil }
        let clock = (hour * 60 + minute) * 60 + second
        return HTTP.date(year: year, month: month, day: day, seconds: clock)
            .map { Int($0.timeIntervalSince1970) }
    }
}
