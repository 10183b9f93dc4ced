#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The numbers of two connected sockets, for somebody to take over.
func connectedSockets() -> (near: Int32, far: Int32) {
    #if canImport(Glibc)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    var numbers: [Int32] = [-1, -1]
    // Safety: two numbers are written, to an array of two.
    _ = unsafe socketpair(AF_UNIX, stream, 0, &numbers)
    return (numbers[0], numbers[1])
}
