public import InterceptorKit
import InterceptorKitInspection

extension Event.Name {
    /// An exchange was written to a cassette.
    public static let exchangeRecorded: Self = "cassette.recorded"
    /// An exchange was replayed from a cassette.
    public static let exchangeReplayed: Self = "cassette.replayed"
}
