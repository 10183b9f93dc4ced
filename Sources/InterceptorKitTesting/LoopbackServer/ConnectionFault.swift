extension LoopbackServer {
    /// What goes wrong on a connection before a request on it is whole.
    public struct ConnectionFault: Sendable, Hashable {
        enum Ending: Sendable, Hashable {
            case close
            case reset
            case stall
        }

        let ending: Ending
        let bytes: Int

        /// Closes once so many bytes of requests have come, what follows being read and dropped for a
        /// second at most. With 0, the default, before the first byte.
        public static func closed(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .close, bytes: max(0, bytes))
        }

        /// Resets the connection (RST) once so many bytes of requests have come. With 0, the default,
        /// before the first byte.
        public static func reset(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .reset, bytes: max(0, bytes))
        }

        /// Says nothing from the moment so many bytes of requests have come, until the client closes or
        /// the server stops. With 0, the default, before the first byte.
        public static func stalled(afterBytes bytes: Int = 0) -> Self {
            Self(ending: .stall, bytes: max(0, bytes))
        }
    }
}
