import Foundation
public import InterceptorKit
import InterceptorKitEngine

extension URLSessionTransport {
    /// The settings of a ``URLSessionTransport``.
    public struct Settings: Sendable, Hashable {
        /// The number of connections to one host, 1 to 65,535. Defaults to 6, as in `URLSession`. On Linux, a request
        /// without a body that must not be repeated uses an additional connection of its own.
        public var maximumConnectionsPerHost = 6

        /// The longest silence of a connection before the request fails. Defaults to 60 seconds, as in `URLSession`.
        ///
        /// Foundation on Linux counts whole seconds, so it is rounded up and kept between 1 and 1,000,000 seconds. It
        /// also runs while a request waits for a free connection. A call's deadline is kept to the millisecond.
        public var idleTimeout: Duration = .seconds(60)

        /// The largest number of bytes of one body held in memory: of a stream or part of a file to be sent, and of a
        /// response that waits for its reader. The rest goes to a temporary file. Defaults to 1 MiB.
        public var bytesInMemory = 1 << 20

        /// The largest number of bytes of a response's body that may wait for its reader, in memory and in a temporary
        /// file; beyond it the body fails with `TransportError.Code.readerTooSlow`. Defaults to 4 GiB, or `Int.max` if
        /// that is less.
        public var maximumBufferedBytes = Int(clamping: 4 << 30 as Int64)

        /// The largest request body, in bytes, from a stream or part of a file, which is held in memory or in a
        /// temporary file before it is sent. Defaults to no limit.
        public var maximumRequestBodyBytes = Int.max

        /// The folder for temporary files; `nil`, the default, means the system's (`TMPDIR`). Only their owner can read
        /// the files. They are removed from the folder at once for responses, and when sending begins for requests, so
        /// nothing is left behind.
        public var temporaryFolder: String?

        /// The policy that decides about certificates; `nil`, the default, leaves it to the system. On Linux, where
        /// URLSession asks no policy, any other value is a `SettingError`.
        public var trust: TrustPolicy?

        /// Creates the default settings.
        public init() {}

        // Foundation on Linux truncates fractions, so half a second becomes zero, and traps on large numbers.
        static let idleRange = 1...1_000_000

        var folder: String { temporaryFolder ?? FileManager.default.temporaryDirectory.path }

        var receiveBufferLimits: ReceiveBuffer.Limits {
            let memory = min(bytesInMemory, maximumBufferedBytes)
            return ReceiveBuffer.Limits(memory: memory, files: maximumBufferedBytes - memory)
        }

        var spoolLimits: SpooledBody.Limits {
            SpooledBody.Limits(
                memory: bytesInMemory,
                total: maximumRequestBodyBytes,
                folder: folder
            )
        }

        var idleSeconds: Int {
            let range = Settings.idleRange
            return min(max(Int(idleTimeout.secondsRoundedUp), range.lowerBound), range.upperBound)
        }

        /// Returns a Foundation interval in whole seconds, within the range.
        static func idleSeconds(_ interval: TimeInterval) -> Int {
            guard interval.isFinite else { return idleRange.upperBound }
            let range = Double(idleRange.lowerBound)...Double(idleRange.upperBound)
            return Int(min(max(interval.rounded(.up), range.lowerBound), range.upperBound))
        }

        /// Throws an error for the first setting that cannot work.
        public func validate() throws(SettingError) {
            let check = SettingCheck(of: "URLSessionTransport.Settings")
            try check.within(1...65_535, "maximumConnectionsPerHost", maximumConnectionsPerHost)
            try check.require(
                idleTimeout > .zero,
                "idleTimeout",
                idleTimeout.formattedSeconds,
                "positive"
            )
            try check.notNegative("bytesInMemory", bytesInMemory)
            // A chunk may arrive before its reader.
            try check.positive("maximumBufferedBytes", maximumBufferedBytes)
            try check.notNegative("maximumRequestBodyBytes", maximumRequestBodyBytes)
            #if canImport(FoundationNetworking)
            try check.require(
                trust == nil,
                "trust",
                "set",
                "nil on Linux",
                "URLSession there asks nobody about certificates: it takes the system's authorities and "
                    + "no client certificate. Use CurlTransport of InterceptorKitCurl for authorities, "
                    + "pins or client certificates of your own."
            )
            #endif
        }
    }
}
