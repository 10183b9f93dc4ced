import Foundation
public import InterceptorKit

extension URLSessionTransport {
    /// What can be chosen about a ``URLSessionTransport``.
    public struct Settings: Sendable, Hashable {
        /// The connections kept to one host, 1 to 65,535. Defaults to 6, `URLSession`'s own. On Linux a
        /// request that must not be repeated and has no body goes over one more, of its own.
        public var maximumConnectionsPerHost = 6

        /// How long a connection may be silent before the request fails.
        ///
        /// Foundation on Linux counts whole seconds, so it is rounded up to one and held between 1 and
        /// 1,000,000 seconds. It also runs while a request waits for a free connection. Defaults to 60
        /// seconds, `URLSession`'s own. A call's deadline is kept to the millisecond.
        public var idleTimeout: Duration = .seconds(60)

        /// The bytes of one body, sent or received, that are held in memory: of a stream or part of a
        /// file that is to be sent, and of a response that waits for its reader. More goes to a
        /// temporary file. Defaults to 1 MiB.
        public var bytesInMemory = 1 << 20

        /// The bytes of a response's body that may wait for its reader, in memory and in a temporary
        /// file; one more and the body fails with `TransportError.Code.readerTooSlow`. Defaults to
        /// 4 GiB (to the largest number where that is less).
        public var maximumBufferedBytes = Int(clamping: 4 << 30 as Int64)

        /// The bytes accepted of a request's body that is a stream or part of a file and therefore
        /// kept, in memory or in a temporary file, before it is sent. Defaults to no limit.
        public var maximumRequestBodyBytes = Int.max

        /// The folder for temporary files, which only their owner can read and which are out of it
        /// before anything can be left behind: at once for responses, for requests when sending begins.
        /// `nil` means the system's (`TMPDIR`). Defaults to `nil`.
        public var temporaryFolder: String?

        /// Who decides about certificates. `nil` means the system. On Linux, where URLSession asks
        /// nobody, anything else is a `SettingError`. Defaults to `nil`.
        public var trust: TrustPolicy?

        /// Creates the default settings.
        public init() {}

        // Foundation on Linux cuts fractions off, so that half a second is none, and traps on large
        // numbers.
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
            let (seconds, attoseconds) = idleTimeout.components
            let range = Settings.idleRange
            let whole = max(min(seconds, Int64(range.upperBound)), 0) + (attoseconds > 0 ? 1 : 0)
            return min(max(Int(whole), range.lowerBound), range.upperBound)
        }

        /// Throws an error for the first setting that cannot work.
        public func validate() throws(SettingError) {
            let check = SettingCheck(of: "URLSessionTransport.Settings")
            try check.within(1...65_535, "maximumConnectionsPerHost", maximumConnectionsPerHost)
            try check.require(idleTimeout > .zero, "idleTimeout", "\(idleTimeout)", "positive")
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
