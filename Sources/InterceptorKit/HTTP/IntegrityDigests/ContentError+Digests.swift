extension HTTP.ContentError {
    static func malformedDigest(_ rule: String) -> Self {
        Self(.malformedDigest, "The field with digests cannot be read: \(rule)")
    }

    static let missingDigest = Self(
        .missingDigest,
        "The message has no Content-Digest, which is required here. Ask the server for one with the "
            + "field Want-Content-Digest, or accept messages without."
    )

    static func unacceptableDigest(_ found: [HTTP.DigestAlgorithm]) -> Self {
        let names = found.map { HTTP.printable($0.name) }.joined(separator: ", ")
        return Self(
            .unacceptableDigest,
            "None of the digests (\(names)) uses an accepted algorithm. Accept one of them, or "
                + "ask the server for another."
        )
    }

    static func digestMismatch(_ algorithm: HTTP.DigestAlgorithm) -> Self {
        Self(
            .digestMismatch,
            "The content does not have the \(algorithm) digest that came with it, so it was changed or "
                + "cut, or decoded after it arrived. Do not use what was read of it."
        )
    }

    static func unknownAlgorithm(_ algorithm: HTTP.DigestAlgorithm) -> Self {
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
