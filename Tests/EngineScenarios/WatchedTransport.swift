package import InterceptorKit

/// A transport that says what is under way in its engine.
package protocol WatchedTransport: Transport<HTTP.Request> {
    /// How many exchanges are not over yet.
    var liveCount: Int { get }

    /// Returns when nothing is under way.
    func idle() async

    func close()

    /// Whether an error is of the engine's own kind.
    func isOwn(_ error: any Error) -> Bool
}
