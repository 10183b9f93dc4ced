/// Why a cache cannot work as it is set up, or a store did not take a response.
///
/// A call never fails with one: what goes wrong while it is made is reported as the event
/// ``Event/Name/cacheStoreFailed``.
public struct CacheError: Error, Sendable, Hashable {
    /// What is wrong. Open: later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// A setting of a ``CachePolicy`` or a store that cannot work.
        public static let invalidPolicy = Code(description: "invalid policy")
        /// A response is larger than a store takes.
        public static let tooLarge = Code(description: "too large")
    }

    /// What is wrong.
    public let code: Code
    private let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func tooLarge(_ limit: Int) -> CacheError {
        CacheError(
            .tooLarge,
            "A response was not stored because it is larger than the store's maxEntryBytes, \(limit)."
        )
    }
}

extension CacheError: CustomStringConvertible {
    /// What is wrong and what to do, in whole sentences.
    public var description: String { message }
}
