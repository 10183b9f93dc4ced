#if AsyncHTTPClient
import NIOCore

/// The network's error on a connection that carries requests. The engine has the same errors for one that is being made,
/// on which nothing was sent; of the two, the guards mark this one.
struct LossInUse: Error {
    let cause: IOError

    private init(_ cause: IOError) { self.cause = cause }

    /// The error, marked if it is the network's.
    static func marking(_ error: any Error) -> any Error {
        (error as? IOError).map { LossInUse($0) } ?? error
    }
}
#endif
