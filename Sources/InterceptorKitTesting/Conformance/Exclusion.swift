extension TransportConformance {
    /// A requirement that a transport is known not to have.
    public struct Exclusion: Sendable, Hashable {
        /// Why a requirement is excluded.
        public enum Kind: String, Sendable {
            /// The engine or platform cannot.
            case limitation
            /// The transport will, and does not yet.
            case notYet = "not yet"
            /// Trying it may end the process.
            case endsProcess = "ends the process"
        }

        /// The requirement's name.
        public let requirement: String
        /// Why it is excluded.
        public let kind: Kind
        /// What was seen, in whole sentences.
        public let reason: String
        /// The toolchain or engine, with its version, on which it was seen.
        public let toolchain: String

        /// The engine or platform cannot.
        public static func limitation(
            _ requirement: String,
            because reason: String,
            seenOn toolchain: String
        ) -> Self {
            Self(requirement: requirement, kind: .limitation, reason: reason, toolchain: toolchain)
        }

        /// The transport will, and does not yet.
        public static func notYet(
            _ requirement: String,
            because reason: String,
            seenOn toolchain: String
        ) -> Self {
            Self(requirement: requirement, kind: .notYet, reason: reason, toolchain: toolchain)
        }

        /// Trying it may end the process, so it is tried in another one or not at all.
        public static func endsProcess(
            _ requirement: String,
            because reason: String,
            seenOn toolchain: String
        ) -> Self {
            Self(requirement: requirement, kind: .endsProcess, reason: reason, toolchain: toolchain)
        }
    }
}

extension TransportConformance.Exclusion: CustomStringConvertible {
    /// As in `limitation (Swift 6.3.1): The engine takes UTF-8 alone.`
    public var description: String { "\(kind.rawValue) (\(toolchain)): \(reason)" }
}
