extension HTTP {
    /// An error for a digest that could not be made, or a message refused for its digests.
    public struct DigestError: CodedError, Sendable, Hashable {
        /// The kind of failure.
        public struct Code: ErrorCode {
            public let description: String

            /// The field violates RFC 9530.
            public static let malformedField = Code(description: "malformedField")
            /// A digest is required, but there is none.
            public static let missing = Code(description: "missing")
            /// There are digests, but none with an accepted algorithm.
            public static let unacceptable = Code(description: "unacceptable")
            /// The content doesn't match its digest.
            public static let mismatch = Code(description: "mismatch")
            /// The algorithm is unknown.
            public static let unknownAlgorithm = Code(description: "unknownAlgorithm")
            /// The body can be read once, so it cannot be both hashed and sent.
            public static let oneShotBody = Code(description: "oneShotBody")
        }

        public let code: Code
        public let message: String

        init(_ code: Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }
}

extension HTTP.DigestError {
    static func malformed(_ rule: String) -> Self {
        Self(.malformedField, "The field with digests cannot be read: \(rule)")
    }

    static let missing = Self(
        .missing,
        "The message has no Content-Digest, which is required here. Ask the server for one with the "
            + "field Want-Content-Digest, or accept messages without."
    )

    static func unacceptable(_ found: [HTTP.DigestAlgorithm]) -> Self {
        let names = found.map { HTTP.printable($0.name) }.joined(separator: ", ")
        return Self(
            .unacceptable,
            "None of the digests (\(names)) uses an accepted algorithm. Accept one of them, or "
                + "ask the server for another."
        )
    }

    static func mismatch(_ algorithm: HTTP.DigestAlgorithm) -> Self {
        Self(
            .mismatch,
            "The content does not have the \(algorithm) digest that came with it, so it was changed or "
                + "cut, or decoded after it arrived. Do not use what was read of it."
        )
    }

    static func unknown(_ algorithm: HTTP.DigestAlgorithm) -> Self {
        Self(
            .unknownAlgorithm,
            "The digest algorithm \(HTTP.printable(algorithm.name)) is not supported. Use sha-256 or sha-512."
        )
    }

    static let oneShotBody = Self(
        .oneShotBody,
        "The body can be read only once, so it cannot be both hashed and sent. Use a replayable body."
    )
}
