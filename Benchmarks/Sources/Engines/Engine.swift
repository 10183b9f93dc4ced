public import InterceptorKit

/// An engine of the library that a command line can name.
public struct Engine: Sendable {
    /// A transport and the way to end it.
    public struct Opened: Sendable {
        /// What carries requests.
        public let transport: any Transport<HTTP.Request>
        /// What runs tasks on the transport's threads, if it has such.
        public let executor: (any TaskExecutor)?
        /// Ends what is under way.
        public let close: @Sendable () -> Void

        /// Describes an open transport.
        public init(
            _ transport: any Transport<HTTP.Request>,
            executor: (any TaskExecutor)? = nil,
            close: @escaping @Sendable () -> Void
        ) {
            self.transport = transport
            self.executor = executor
            self.close = close
        }
    }

    /// What `--engine` calls it.
    public let name: String
    /// What its transport is called, in figures.
    public let transport: String
    /// Whether what `URLSession` loses, it loses too.
    public let isURLSession: Bool
    /// Makes a transport with so many connections to a host.
    public let open: @Sendable (_ connections: Int) throws -> Opened

    /// Describes an engine.
    public init(
        _ name: String,
        transport: String,
        isURLSession: Bool = false,
        open: @escaping @Sendable (_ connections: Int) throws -> Opened
    ) {
        self.name = name
        self.transport = transport
        self.isURLSession = isURLSession
        self.open = open
    }
}
