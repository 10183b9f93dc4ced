public import InterceptorKit

extension Event.Name {
    /// A store could not be asked, or did not answer in time: `store`, `policy` for what is done instead,
    /// `error.type`, `error.message`.
    public static let storeUnavailable: Self = "store.unavailable"
}
