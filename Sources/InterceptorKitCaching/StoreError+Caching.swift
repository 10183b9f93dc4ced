import InterceptorKit

extension StoreError {
    static func tooLarge(_ limit: Int) -> StoreError {
        StoreError(
            .tooLarge,
            "The body is larger than the \(limit) bytes that the store accepts of this response. It is "
                + "not stored. Give the store a higher maxEntryBytes if it should be."
        )
    }
}
