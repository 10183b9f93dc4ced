extension HTTP {
    /// A header field with the caller's remaining time, and its format.
    ///
    /// There is no standard field. The time is relative, because clocks differ.
    public struct TimeoutField: Sendable, Hashable {
        enum Format: Sendable, Hashable {
            case milliseconds
            case seconds
            case gRPC
        }

        /// The field's name.
        public let name: String
        let format: Format

        /// Returns a field with whole milliseconds, such as Envoy's `x-envoy-expected-rq-timeout-ms`.
        public static func milliseconds(_ name: String) -> HTTP.TimeoutField {
            HTTP.TimeoutField(name: name, format: .milliseconds)
        }

        /// Returns a field with seconds and up to three decimals, as in `2.5`.
        public static func seconds(_ name: String) -> HTTP.TimeoutField {
            HTTP.TimeoutField(name: name, format: .seconds)
        }

        /// The field `grpc-timeout`: up to eight digits and a unit, as in `250m` (gRPC over HTTP/2, "Requests").
        public static let gRPC = HTTP.TimeoutField(name: "grpc-timeout", format: .gRPC)

        /// Returns the remaining time in a request, never negative; `nil` if the field is missing, repeated or malformed.
        public func time(in headers: HTTP.Headers) -> Duration? {
            let values = headers.values(name)
            guard values.count == 1 else { return nil }
            let text = HTTP.FieldSyntax.trimmed(values[0])
            return switch format {
            case .milliseconds: Self.digits(text, upTo: 15).map { .milliseconds($0) }
            case .seconds: Self.seconds(text)
            case .gRPC: Self.gRPC(text)
            }
        }

        /// Returns a time in the field's format, rounded down so that it never exceeds the remaining time.
        public func text(for time: Duration) -> String {
            let longest: Duration = .seconds(100 * 365 * 86_400)
            let milliseconds = Int(min(max(time, .zero), longest) / .milliseconds(1))
            return switch format {
            case .milliseconds: "\(milliseconds)"
            case .seconds: Self.text(thousandths: milliseconds)
            case .gRPC:
                milliseconds < 100_000_000
                    ? "\(milliseconds)m" : "\(min(milliseconds / 1000, 99_999_999))S"
            }
        }

        private static func text(thousandths: Int) -> String {
            let rest = "\(thousandths % 1000)"
            let zeros = String(repeating: "0", count: 3 - rest.count)
            return "\(thousandths / 1000).\(zeros)\(rest)"
        }

        // Fifteen digits of milliseconds are 30,000 years.
        private static func digits(_ text: some StringProtocol, upTo count: Int) -> Int? {
            guard 1...count ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
                return nil
            }
            return Int(text)
        }

        private static func seconds(_ text: String) -> Duration? {
            let parts = text.split(at: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let whole = digits(parts[0], upTo: 12) else { return nil }
            guard parts.count == 2 else { return .seconds(whole) }
            guard parts[1].utf8.count <= 3, let decimals = digits(parts[1], upTo: 3) else {
                return nil
            }
            let scale = [0, 100, 10, 1][parts[1].utf8.count]
            return .seconds(whole) + .milliseconds(decimals * scale)
        }

        private static func gRPC(_ text: String) -> Duration? {
            guard let unit = text.unicodeScalars.last,
                let number = digits(Substring(text.unicodeScalars.dropLast()), upTo: 8)
            else {
                return nil
            }
            return switch unit {
            case "H": .seconds(number * 3600)
            case "M": .seconds(number * 60)
            case "S": .seconds(number)
            case "m": .milliseconds(number)
            case "u": .microseconds(number)
            case "n": .nanoseconds(number)
            default: nil
            }
        }
    }
}
