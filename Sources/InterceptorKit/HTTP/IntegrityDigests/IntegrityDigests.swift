extension HTTP {
    /// Digests by algorithm: the value of `Content-Digest` and `Repr-Digest` (RFC 9530).
    ///
    /// `Content-Digest` covers the content as it is sent, including its content coding. `Repr-Digest` covers
    /// the whole representation, of which a message may carry only a part or nothing.
    public struct IntegrityDigests: Sendable, Hashable {
        private var values: StructuredField.KeyedValues<[UInt8]> = [:]

        /// Creates an empty value without digests.
        public init() {}

        /// Creates the digests of some bytes.
        /// - Parameters:
        ///   - bytes: The bytes to hash.
        ///   - algorithms: The hash functions. Defaults to `sha-256`.
        /// - Throws: ``HTTP/ContentError`` for an unknown algorithm.
        public init(
            of bytes: some Sequence<UInt8>,
            _ algorithms: [DigestAlgorithm] = [.sha256]
        ) throws(ContentError) {
            var running = try RunningDigests(algorithms)
            running.update(bytes)
            self = running.digests
        }

        /// Reads a field.
        /// - Parameter text: The field's lines, joined with commas.
        /// - Throws: ``HTTP/ContentError`` if it isn't a dictionary of byte sequences.
        public init(parsing text: String) throws(ContentError) {
            let dictionary: StructuredField.Dictionary
            do {
                dictionary = try StructuredField.Dictionary(parsing: text)
            } catch {
                throw .malformedDigest(error.message)
            }
            for (name, member) in dictionary {
                guard let bytes = member.value?.bytes else {
                    throw .malformedDigest(
                        "every digest must be a byte sequence (RFC 9530 section 2)."
                    )
                }
                values[name] = bytes
            }
        }

        /// Returns the field's value.
        /// - Throws: ``HTTP/ContentError`` if an algorithm's name cannot be a key.
        public func serialized() throws(ContentError) -> String {
            let members = values.map { ($0.key, StructuredField.Member(.bytes($0.value))) }
            do {
                return try StructuredField.Dictionary(members).serialized()
            } catch {
                throw .malformedDigest(error.message)
            }
        }

        /// The digest by an algorithm; `nil` if there is none.
        public subscript(algorithm: DigestAlgorithm) -> [UInt8]? {
            get { values[algorithm.name] }
            set { values[algorithm.name] = newValue }
        }

        /// The algorithms of the digests, in order.
        public var algorithms: [DigestAlgorithm] { values.keys.map(DigestAlgorithm.init) }

        /// Checks bytes against every digest with an accepted algorithm. There must be at least one.
        /// - Parameters:
        ///   - bytes: The content or representation.
        ///   - accepted: The algorithms to trust. Defaults to those that withstand attacks.
        /// - Throws: ``HTTP/ContentError`` if there is no such digest or one differs.
        public func verify(
            _ bytes: some Sequence<UInt8>,
            accepting accepted: Set<DigestAlgorithm> = DigestAlgorithm.active
        ) throws(ContentError) {
            var running = try RunningDigests(acceptable(accepted))
            running.update(bytes)
            try verify(running.digests)
        }

        /// Returns the accepted algorithms that have a digest and can be checked.
        func acceptable(
            _ accepted: Set<DigestAlgorithm>
        ) throws(ContentError) -> [DigestAlgorithm] {
            let acceptable = algorithms.filter { accepted.contains($0) && $0.hash != nil }
            guard !acceptable.isEmpty else { throw .unacceptableDigest(algorithms) }
            return acceptable
        }

        /// Checks computed digests against these.
        func verify(_ computed: IntegrityDigests) throws(ContentError) {
            for algorithm in computed.algorithms {
                guard let expected = self[algorithm], let found = computed[algorithm] else {
                    continue
                }
                guard ConstantTime.isEqual(expected, found) else {
                    throw .digestMismatch(algorithm)
                }
            }
        }
    }
}

/// The digests, by several algorithms, of bytes that arrive in chunks.
struct RunningDigests: Sendable {
    private var running: [(algorithm: HTTP.DigestAlgorithm, hash: RunningHash)] = []

    init(
        _ algorithms: some Sequence<HTTP.DigestAlgorithm>
    ) throws(HTTP.ContentError) {
        for algorithm in algorithms {
            guard let hash = algorithm.hash else { throw .unknownAlgorithm(algorithm) }
            running.append((algorithm, RunningHash(hash)))
        }
    }

    /// Leaves all bytes to the system if it can hash them and none were added yet.
    mutating func useSystemHash() {
        for index in running.indices { running[index].hash.useSystemHash() }
    }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        for index in running.indices { running[index].hash.update(bytes) }
    }

    var digests: HTTP.IntegrityDigests {
        var digests = HTTP.IntegrityDigests()
        for (algorithm, hash) in running { digests[algorithm] = Array(hash.finalize()) }
        return digests
    }
}
