import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection of the reference transport: blocking calls, each on a thread of its own, ended from
/// outside by shutting the socket down.
final class Wire: Sendable {
    enum Failure: Error { case refused, unknownName, broken }

    private let number: Int32
    private let pending = Lock<[UInt8]>([])
    private let isDown = Lock(false)

    private init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    static func connect(host: String, port: Int) async throws -> Wire {
        try await onThread { try Wire(connected(host, port)) }
    }

    /// Ends every call, now and later; the descriptor stays this object's until it goes.
    func shutDown() {
        isDown.withLock { $0 = true }
        shutdown(number, Int32(SHUT_RDWR))
    }

    var isUsable: Bool {
        if isDown.withLock(\.self) || !pending.withLock(\.isEmpty) { return false }
        var byte: UInt8 = 0
        let count = unsafe recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onThread { [self] in
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { all in
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: all[sent...])
                    return unsafe systemSend(number, rest.baseAddress, rest.count)
                }
                if count <= 0 { throw Failure.broken }
                sent += count
            }
        }
    }

    /// At most so many bytes, as soon as there is one; none at the end.
    func receive(upTo limit: Int = 64 << 10) async throws -> [UInt8] {
        let early = pending.withLock { pending in
            let early = Array(pending.prefix(limit))
            pending.removeFirst(early.count)
            return early
        }
        if !early.isEmpty { return early }
        return try await onThread { [self] in
            var buffer = [UInt8](repeating: 0, count: limit)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(number, $0.baseAddress, $0.count, 0)
            }
            if count < 0 { throw Failure.broken }
            return Array(buffer.prefix(count))
        }
    }

    /// A line without its end; `nil` where the connection ends before.
    func line() async throws -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            let more = try await receive()
            guard let end = more.firstIndex(of: 10) else {
                if more.isEmpty { return nil }
                line += more
                continue
            }
            line += more[..<end]
            let rest = more[(end + 1)...]
            pending.withLock { $0.insert(contentsOf: rest, at: 0) }
            if line.last == 13 { line.removeLast() }
            return line
        }
    }
}

private func connected(_ host: String, _ port: Int) throws -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
        throw Wire.Failure.unknownName
    }
    #if canImport(Glibc)
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let number = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    #if canImport(Darwin)
    var on: Int32 = 1
    _ = unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, 4)
    #endif
    let code = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard code == 0 else {
        close(number)
        throw Wire.Failure.refused
    }
    return number
}

private func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

// The member above hides the function of the same name.
private func systemSend(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    unsafe send(number, bytes, count, 0)
    #else
    unsafe send(number, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
