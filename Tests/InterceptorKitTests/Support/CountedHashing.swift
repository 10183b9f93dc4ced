import InterceptorKit
import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Hashes by a provider that counts the digests it is asked for.
struct CountedHashing: Sendable {
    private let count = Recorder<Int>()

    var provider: HashProvider {
        HashProvider { algorithm in Counted(hash: RunningHash(algorithm), count: count) }
    }

    var digests: Int { count.entries.count }

    private struct Counted: HashState {
        var hash: RunningHash
        let count: Recorder<Int>

        mutating func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash.update(bytes) }

        func finish(into digest: UnsafeMutableRawBufferPointer) {
            count.note(1)
            unsafe digest.copyBytes(from: hash.finalize())
        }
    }
}
