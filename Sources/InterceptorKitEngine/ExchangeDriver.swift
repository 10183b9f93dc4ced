#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What carries one exchange in its engine: it does what the ``ExchangeState`` decides, and tells it what
/// happens.
///
/// Nothing is asked of it under a lock.
package protocol ExchangeDriver: AnyObject, Sendable {
    var exchange: Exchange { get }
    /// Host and port, for messages.
    var host: String { get }
    /// Begins to send, or says that it could not.
    func start()
    /// Ends what was started, and soon.
    func stop()
    /// Nothing more of the request's body will be sent.
    func endUpload()
    /// Receives again after ``ExchangeState/Event/receivingPaused``.
    func resumeReceiving()
    /// Says when the engine has handed out what it has at hand.
    func awaitBatch()
    /// Keeps a chunk in a file and then says so.
    func store(_ chunk: Data, in region: ReceiveBuffer.Region)
    /// What was kept in a file.
    func read(_ region: ReceiveBuffer.Region) async throws -> Data
    /// Nobody will read what is in files.
    func dropFiles()
    /// The error for the code that waits, after a failure of the engine's own.
    func error(for failure: any Error, isInBody: Bool) -> any Error
}

// What engines without the means for it are never asked for.
extension ExchangeDriver {
    package func endUpload() {}
    package func resumeReceiving() {}
    package func awaitBatch() {}
    package func store(_ chunk: Data, in region: ReceiveBuffer.Region) {}
    package func read(_ region: ReceiveBuffer.Region) async throws -> Data {
        throw CancellationError()
    }
    package func dropFiles() {}
}
