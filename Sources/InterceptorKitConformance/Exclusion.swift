extension TransportConformance {
    /// A requirement that a transport is known not to meet.
    public struct Exclusion: Sendable, Hashable {
        /// The reason for an exclusion.
        enum Kind: String, Sendable {
            /// The engine or platform cannot meet it.
            case limitation
            /// The transport does not meet it yet.
            case notYet = "not yet"
            /// Trying it may end the process.
            case endsProcess = "ends the process"
        }

        /// The requirement's name.
        public let requirement: String
        /// The kind of reason.
        let kind: Kind
        /// The observation, in whole sentences.
        public let reason: String
        /// The toolchain or engine where it was observed, with its version.
        public let toolchain: String

        /// Returns an exclusion for an engine or platform that cannot meet a requirement.
        public static func limitation(
            _ requirement: String,
            because reason: String,
            seenOn toolchain: String
        ) -> Self {
            Self(requirement: requirement, kind: .limitation, reason: reason, toolchain: toolchain)
        }

        /// Returns an exclusion for a transport that does not meet a requirement yet.
        public static func notYet(
            _ requirement: String,
            because reason: String,
            seenOn toolchain: String
        ) -> Self {
            Self(requirement: requirement, kind: .notYet, reason: reason, toolchain: toolchain)
        }

        /// Returns an exclusion for a requirement that may end the process, so it is tried in another one or not at
        /// all.
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
    /// The exclusion as text, as in `limitation (Swift 6.3.1): The engine takes UTF-8 alone.`
    public var description: String { "\(kind.rawValue) (\(toolchain)): \(reason)" }
}
