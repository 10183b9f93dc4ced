import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A stored body's blocks, each verified by its checksum again before it is returned.
final class DiskBodyStream: HTTP.BodyStream {
    private let file: EntryFile
    private let sums: [UInt64]
    private let compared: ComparedFiles
    /// The next block; `nil` after release.
    private let position = Lock<Int?>(0)

    init(_ file: EntryFile, _ sums: [UInt64], _ compared: ComparedFiles) {
        self.file = file
        self.sums = sums
        self.compared = compared
    }

    @concurrent
    func next() async throws -> Data? {
        guard let index = position.withLock(\.self) else { throw CancellationError() }
        guard index < sums.count else { return nil }
        guard let block = try file.block(index, sums) else {
            compared.remove(file.header.nonce)
            file.remove()
            throw StoreError(
                .damaged,
                "A stored body was changed while it was read. The rest is not delivered; send the request again."
            )
        }
        position.withLock { if $0 != nil { $0 = index + 1 } }
        return block
    }

    func cancel() { position.withLock { $0 = nil } }
}
