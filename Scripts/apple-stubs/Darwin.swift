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

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer

@discardableResult
public func posix_spawn_file_actions_init(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawn_file_actions_destroy(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawn_file_actions_addopen(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>,
    _ descriptor: Int32,
    _ path: UnsafePointer<CChar>,
    _ flags: Int32,
    _ mode: mode_t
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>,
    _ descriptor: Int32,
    _ copy: Int32
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>) -> Int32 {
    fatalError()
}
@discardableResult
public func posix_spawnattr_destroy(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawnattr_setsigmask(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>,
    _ signals: UnsafePointer<sigset_t>
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawnattr_setpgroup(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>,
    _ group: pid_t
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawnattr_setflags(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>,
    _ flags: Int16
) -> Int32 { fatalError() }
@discardableResult
public func posix_spawnp(
    _ process: UnsafeMutablePointer<pid_t>,
    _ file: UnsafePointer<CChar>,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>,
    _ attributes: UnsafePointer<posix_spawnattr_t?>,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 { fatalError() }
