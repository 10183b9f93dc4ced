import InterceptorKit
import InterceptorKitInspection
import InterceptorKitLoopback

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Cassette {
    static func exists(at path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Returns the recorded exchange for a request; `nil` if the request is to be sent.
    mutating func recorded(
        _ request: HAR.Request,
        in mode: RecordingTransport.Mode
    ) throws(TestKitError) -> HAR.Entry? {
        switch mode {
        case .record: return nil
        case .replay: return try take(request)
        case .update:
            do {
                return try take(request)
            } catch {
                guard error.code == .unmatched || error.code == .exhausted else { throw error }
                return nil
            }
        }
    }
}

extension TransportError {
    init(_ failure: HAR.Failure) {
        let codes: [Code] = [
            .nameNotResolved, .cannotConnect, .tls, .connectionLost, .protocolViolation, .timedOut,
            .readerTooSlow, .storage, .unsupported, .closed,
        ]
        self.init(
            codes.first { $0.description == failure.code } ?? .other,
            failure.message,
            isUnsent: failure.isUnsent
        )
    }
}
