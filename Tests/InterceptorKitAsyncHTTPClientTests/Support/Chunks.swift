#if AsyncHTTPClient
import Foundation

/// So many chunks of a thousand bytes.
func chunks(_ count: Int) -> AsyncStream<Data> {
    AsyncStream { continuation in
        for _ in 0..<count { continuation.yield(Data(count: 1000)) }
        continuation.finish()
    }
}
#endif
