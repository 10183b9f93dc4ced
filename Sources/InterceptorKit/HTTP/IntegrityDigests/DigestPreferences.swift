extension HTTP {
    /// Which digests a peer would like: the value of `Want-Content-Digest` and `Want-Repr-Digest`
    /// (RFC 9530 section 4).
    public struct DigestPreferences: Sendable, Hashable {
        private var weights: StructuredField.KeyedValues<Int> = [:]

        /// Creates preferences from pairs, in order.
        /// - Parameter weights: From 1, the least preferred, to 10; 0 means not acceptable. Others are
        ///   cut to this range.
        public init(_ weights: some Sequence<(DigestAlgorithm, Int)>) {
            for (algorithm, weight) in weights {
                self.weights[algorithm.name] = max(0, min(10, weight))
            }
        }

        /// Reads a field.
        /// - Parameter text: The field's lines, joined with commas.
        /// - Throws: ``HTTP/DigestError`` if it is no dictionary of integers from 0 to 10.
        public init(parsing text: String) throws(DigestError) {
            let dictionary: StructuredField.Dictionary
            do {
                dictionary = try StructuredField.Dictionary(parsing: text)
            } catch {
                throw .malformed(error.message)
            }
            for (name, member) in dictionary {
                guard let weight = member.value?.integer, 0...10 ~= weight else {
                    throw .malformed(
                        "every preference has to be an integer from 0 to 10 (RFC 9530 section 4)."
                    )
                }
                weights[name] = weight
            }
        }

        /// The field's value.
        /// - Throws: ``HTTP/DigestError`` if an algorithm's name cannot be a key.
        public func serialized() throws(DigestError) -> String {
            let members = weights.map { ($0.key, StructuredField.Member(.integer($0.value))) }
            do {
                return try StructuredField.Dictionary(members).serialized()
            } catch {
                throw .malformed(error.message)
            }
        }

        /// How much an algorithm is preferred, from 0 to 10; `nil` if nothing is said about it.
        public subscript(algorithm: DigestAlgorithm) -> Int? { weights[algorithm.name] }

        /// The algorithms that are acceptable to the peer, the most preferred first.
        /// - Parameter supported: Those to choose from. Defaults to those that withstand attacks.
        public func ranking(
            among supported: Set<DigestAlgorithm> = DigestAlgorithm.active
        ) -> [DigestAlgorithm] {
            weights
                .filter { $0.value > 0 && supported.contains(DigestAlgorithm($0.key)) }
                // Stable, so that of two with one weight the first stays first.
                .sorted { $0.value > $1.value }
                .map { DigestAlgorithm($0.key) }
        }
    }
}

extension HTTP.DigestPreferences: ExpressibleByDictionaryLiteral {
    /// Preferences in order.
    public init(dictionaryLiteral elements: (HTTP.DigestAlgorithm, Int)...) { self.init(elements) }
}
