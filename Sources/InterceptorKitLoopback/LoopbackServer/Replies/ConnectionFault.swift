extension LoopbackServer {
    /// A fault on a connection before a request on it is complete.
    public struct ConnectionFault: Sendable, Hashable {
        enum Ending: Sendable, Hashable {
            case close
            case reset
            case stall
        }

        let ending: Ending
        let bytes: Int

        /// Closes the connection after this many bytes of requests; further bytes are read and dropped for at most a
        /// second. With 0, the default, it closes before the first byte.
        public static func closed(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .close, bytes: max(0, bytes))
        }

        /// Resets the connection (RST) after this many bytes of requests. With 0, the default, it resets before the
        /// first byte.
        public static func reset(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .reset, bytes: max(0, bytes))
        }

        /// Sends nothing after this many bytes of requests, until the client closes or the server stops. With 0, the
        /// default, it stalls before the first byte.
        public static func stalled(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .stall, bytes: max(0, bytes))
        }
    }
}
