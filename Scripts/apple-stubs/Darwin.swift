// What the sources use of Darwin's C library where it differs from glibc's.
@_exported import Glibc

public typealias pthread_t = UnsafeMutablePointer<Int>

public func pthread_self() -> pthread_t { fatalError() }
@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 { fatalError() }
@discardableResult
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { fatalError() }

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
public let SO_NWRITE: Int32 = 0x1024

extension stat {
    public var st_mtimespec: timespec { st_mtim }
}
