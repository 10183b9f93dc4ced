import Foundation
import InterceptorKit

extension CacheTest {
    /// A field as a case writes it down, which may have to be filled in with the time or the place.
    struct Field: Decodable, Sendable {
        enum Value: Decodable, Sendable {
            case text(String)
            /// A date so many seconds from the origin's present.
            case seconds(Int)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let seconds = try? container.decode(Int.self) {
                    self = .seconds(seconds)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }

            /// As it stands.
            var text: String {
                switch self {
                case .text(let text): text
                case .seconds(let number): "\(number)"
                }
            }
        }

        let name: String
        let value: Value
        /// Whether the client has to see what the origin said.
        let isChecked: Bool

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            name = try list.decode(String.self)
            value = try list.decode(Value.self)
            isChecked = list.isAtEnd ? true : try list.decode(Bool.self)
        }
    }

    /// What is looked at in a field.
    enum FieldCheck: Decodable, Sendable {
        case present(String)
        case value(String, Field.Value)
        /// Has the same value as another field.
        case matches(String, other: String)
        /// Is a number above another.
        case exceeds(String, Int)

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self = .present(name)
                return
            }
            var list = try decoder.unkeyedContainer()
            let name = try list.decode(String.self)
            let value = try list.decode(Field.Value.self)
            switch value {
            case .text("=") where !list.isAtEnd:
                self = .matches(name, other: try list.decode(String.self))
            case .text(">") where !list.isAtEnd:
                self = .exceeds(name, try list.decode(Int.self))
            default:
                self = .value(name, value)
            }
        }

        var name: String {
            switch self {
            case .present(let name), .value(let name, _), .matches(let name, _),
                .exceeds(let name, _):
                name
            }
        }
    }

    /// When and where an origin answered, which fills in what cases leave open.
    struct Moment {
        let now: Date
        let target: String

        init(now: Date, target: String) {
            self.now = now
            self.target = target
        }

        /// What the fields of a response say; `nil` if they do not.
        init?(_ headers: HTTP.Headers) {
            guard let now = headers["Server-Now"].flatMap(Double.init) else { return nil }
            self.now = Date(timeIntervalSince1970: now / 1000)
            target = headers["Server-Base-Url"] ?? ""
        }

        /// The value of a field, filled in.
        func text(of value: Field.Value, for name: String, in step: Step) -> String {
            switch value {
            case .seconds(let seconds) where Self.dates.contains(name.lowercased()):
                let text = HTTP.text(for: now.addingTimeInterval(Double(seconds)))
                return step.rfc850date?.contains(name.lowercased()) == true
                    ? Self.oldForm(text) : text
            case .text(let text)
            where Self.places.contains(name.lowercased()) && step.magicLocations == true:
                return text.isEmpty ? target : "\(target)/\(text)"
            default:
                return value.text
            }
        }

        private static let dates: Set = [
            "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
        ]
        private static let places: Set = ["location", "content-location"]
        private static let weekdays = [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
        ]

        // `Sun, 06 Nov 1994 08:49:37 GMT` as `Sunday, 06-Nov-94 08:49:37 GMT`.
        private static func oldForm(_ text: String) -> String {
            let words = text.split(separator: " ").map(String.init)
            let weekday = weekdays.first { $0.hasPrefix(words[0].prefix(3)) } ?? words[0]
            return "\(weekday), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
        }
    }
}
