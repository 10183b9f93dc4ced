import InterceptorKit

extension URLSessionTransport {
    /// What can be chosen about a ``URLSessionTransport``.
    public struct Settings: Sendable, Hashable {
        /// The connections kept to one host, 1 to 65,535. Defaults to 6, `URLSession`'s own.
        public var maximumConnectionsPerHost = 6

        /// How long a connection may be silent before the request fails.
        ///
        /// Foundation on Linux counts whole seconds, so it is rounded up to one and held between 1 and
        /// 1,000,000 seconds. It also runs while a request waits for a free connection. Defaults to 60
        /// seconds, `URLSession`'s own. A call's deadline is kept to the millisecond.
        public var idleTimeout: Duration = .seconds(60)

        /// The bytes of a response's body that may wait for its reader; one more and the body fails
        /// with `TransportError.Code.readerTooSlow`. Defaults to 64 MiB.
        public var maximumBufferedBytes = 64 << 20

        /// The bytes of a request's body that is held in memory because it is a stream or part of a
        /// file. Defaults to 64 MiB.
        public var maximumRequestBodyBytes = 64 << 20

        /// Creates the default settings.
        public init() {}

        // Foundation on Linux cuts fractions off, so that half a second is none, and traps on large
        // numbers.
        static let idleRange = 1...1_000_000

        var idleSeconds: Int {
            let (seconds, attoseconds) = idleTimeout.components
            let range = Settings.idleRange
            let whole = max(min(seconds, Int64(range.upperBound)), 0) + (attoseconds > 0 ? 1 : 0)
            return min(max(Int(whole), range.lowerBound), range.upperBound)
        }

        /// Throws a ``SettingsError`` for the first setting that cannot work.
        public func validate() throws(SettingsError) {
            guard 1...65_535 ~= maximumConnectionsPerHost else {
                throw SettingsError(
                    "maximumConnectionsPerHost is \(maximumConnectionsPerHost); it must be from 1 to "
                        + "65535."
                )
            }
            guard idleTimeout > .zero else {
                throw SettingsError("idleTimeout is \(idleTimeout); it must be positive.")
            }
            guard maximumBufferedBytes > 0 else {
                throw SettingsError(
                    "maximumBufferedBytes is \(maximumBufferedBytes); it must be positive, since a "
                        + "chunk may arrive before its reader."
                )
            }
            guard maximumRequestBodyBytes >= 0 else {
                throw SettingsError(
                    "maximumRequestBodyBytes is \(maximumRequestBodyBytes); it must not be negative."
                )
            }
        }
    }

    /// A setting that cannot work.
    public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
        /// Which setting, its value and what is allowed, in a whole sentence.
        public let description: String

        init(_ description: String) { self.description = description }
    }
}
