#if AsyncHTTPClient
import NIOCore

/// A network error on a connection that carries requests. The engine reports the same errors while a connection is made
/// and nothing was sent; the guards mark only this kind.
struct LossInUse: Error {
    let cause: IOError

    private init(_ cause: IOError) { self.cause = cause }

    /// Returns the error, marked if it is a network error.
    static func marking(_ error: any Error) -> any Error {
        (error as? IOError).map { LossInUse($0) } ?? error
    }
}
#endif
