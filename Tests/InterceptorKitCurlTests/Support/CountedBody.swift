import Foundation
import InterceptorKit

/// A stream of so many chunks, each of its own byte.
func counted(length: Int?, chunks: Int, of size: Int) -> HTTP.Body {
    .replayable(length: length) {
        AsyncStream { continuation in
            for index in 0..<chunks {
                continuation.yield(
                    Data(repeating: UInt8(truncatingIfNeeded: index), count: size)
                )
            }
            continuation.finish()
        }
    }
}
