#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Drives one exchange in its engine: carries out the decisions of the ``ExchangeState`` and reports events to it.
///
/// No requirement is called under a lock.
package protocol ExchangeDriver: AnyObject, Sendable {
    var exchange: Exchange { get }
    /// Host and port, for messages.
    var host: String { get }
    /// Begins to send, or reports that it could not.
    func start()
    /// Ends a started transfer soon.
    func stop()
    /// Ends the upload: nothing more of the request's body will be sent.
    func endUpload()
    /// Receives again after ``ExchangeState/Event/receivingPaused``.
    func resumeReceiving()
    /// Reports when the engine has delivered everything at hand.
    func awaitBatch()
    /// Stores a chunk in a file and then reports it.
    func store(_ chunk: Data, in region: ReceiveBuffer.Region)
    /// Returns the bytes stored in a region of a file.
    func read(_ region: ReceiveBuffer.Region) async throws -> Data
    /// Removes the files, which nobody will read.
    func dropFiles()
    /// Returns the error for the waiting code after a failure of the engine's own.
    func error(for failure: any Error, isInBody: Bool) -> any Error
}

// Defaults for engines that never get these calls.
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
