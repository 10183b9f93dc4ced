#if os(Linux)
import Foundation
import InterceptorKit
import InterceptorKitConcurrency
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A proxy on 127.0.0.1, of HTTP or SOCKS5 (RFC 1928, 1929), to which every name is that address.
package final class LoopbackProxy: Sendable {
    /// What a client must prove to know.
    package enum Authentication: Sendable, Equatable { case none, password, digest }

    package static let user = "us@er"
    package static let password = "p:s/s?"

    package let port: Int
    private let listener: Int32
    private let log = Log()

    /// What was asked for, as in `CONNECT host:443`, `GET http://host/`, `name host:80` and `address 10.0.0.1:80`, and
    /// `refused` for each request without the right password.
    package var notes: [String] { log.notes.withLock(\.self) }

    package init(isSOCKS: Bool = false, _ authentication: Authentication = .none) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isBound = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound, listen(listener, 8) == 0 else { throw CocoaError(.fileReadUnknown) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        let log = self.log
        _ = EventThread.start {
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                let session = Session(Peer(descriptor), authentication, log)
                _ = EventThread.start { isSOCKS ? session.serveSOCKS() : session.serveHTTP() }
            }
            // Closed here: before this thread is done with it, its number must not be the next listener's.
            close(listener)
        }
    }

    deinit {
        // Ends the thread that accepts.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

private final class Log: Sendable { let notes = Lock<[String]>([]) }

/// One client of the proxy.
private struct Session: Sendable {
    private let client: Peer
    private let authentication: LoopbackProxy.Authentication
    private let log: Log

    init(_ client: Peer, _ authentication: LoopbackProxy.Authentication, _ log: Log) {
        self.client = client
        self.authentication = authentication
        self.log = log
    }

    private func note(_ text: String) { log.notes.withLock { $0.append(text) } }

    func serveHTTP() {
        while let head = client.head() {
            let words = head[0].split(separator: " ").map(String.init)
            guard isAllowed(head, method: words[0], target: words[1]) else {
                note("refused")
                let scheme =
                    authentication == .digest
                    ? "Digest realm=\"p\", nonce=\"n1\", qop=\"auth\"" : "Basic realm=\"p\""
                client.write(
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: \(scheme)\r\nContent-Length: 0\r\n\r\n"
                )
                continue
            }
            note("\(words[0]) \(words[1])")
            if words[0] == "CONNECT" {
                guard let host = Peer(to: Int(words[1].split(separator: ":").last ?? "")) else {
                    return
                }
                client.write("HTTP/1.1 200 Yes\r\n\r\n")
                return client.pass(to: host)
            }
            let url = HTTP.URL(unvalidated: words[1])
            guard let host = Peer(to: url.origin?.port) else { return }
            let fields = head.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
            let lines = ["\(words[0]) \(url.requestTarget) HTTP/1.1", "Connection: close"] + fields
            host.write(lines.joined(separator: "\r\n") + "\r\n\r\n")
            return client.pass(to: host)
        }
    }

    private func isAllowed(_ head: [String], method: String, target: String) -> Bool {
        if authentication == .none { return true }
        let (user, password) = (LoopbackProxy.user, LoopbackProxy.password)
        let field = head.first { $0.lowercased().hasPrefix("proxy-authorization: ") } ?? ""
        if authentication == .password {
            return field.hasSuffix(
                " Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
            )
        }
        let pairs = field.split(separator: "Digest ").last?.split(separator: ", ") ?? []
        let given = pairs.reduce(into: [String: String]()) { given, pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            given[String(parts[0])] = parts.last.map { $0.filter { $0 != "\"" } }
        }
        func md5(_ parts: String?...) -> String {
            HashAlgorithm.md5.hash(parts.compactMap(\.self).joined(separator: ":").utf8).hexadecimal
        }
        let response = md5(
            md5(user, "p", password),
            "n1",
            given["nc"],
            given["cnonce"],
            "auth",
            md5(method, target)
        )
        return given["username"] == user && given["response"] == response
    }

    func serveSOCKS() {
        let method: UInt8 = authentication == .none ? 0 : 2
        guard let hello = client.read(2), hello[0] == 5, let methods = client.read(Int(hello[1]))
        else {
            return
        }
        guard methods.contains(method) else {
            note("refused")
            return client.write([5, 0xFF])
        }
        client.write([5, method])
        if method == 2 {
            guard client.read(1) == [1], let user = client.text(), let password = client.text()
            else {
                return
            }
            let isRight = user == LoopbackProxy.user && password == LoopbackProxy.password
            client.write([1, isRight ? 0 : 1])
            guard isRight else { return note("refused") }
        }
        guard let request = client.read(4), request[1] == 1, let target = target(of: request[3]),
            let port = client.read(2).map({ Int($0[0]) << 8 | Int($0[1]) })
        else { return }
        note("\(target):\(port)")
        guard let host = Peer(to: port) else { return }
        client.write([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
        client.pass(to: host)
    }

    private func target(of kind: UInt8) -> String? {
        switch kind {
        case 1: client.read(4).map { "address " + $0.map(String.init).joined(separator: ".") }
        case 3: client.text().map { "name " + $0 }
        default: nil
        }
    }
}

/// One end of a connection, closed when it is released.
private final class Peer: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Connects to a port of 127.0.0.1.
    init?(to port: Int?) {
        guard let port = port.flatMap(UInt16.init(exactly:)) else { return nil }
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        descriptor = made
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { return nil }
    }

    deinit { close(descriptor) }

    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var byte: UInt8 = 0
            guard unsafe recv(descriptor, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// A text with its length before it.
    func text() -> String? {
        read(1).flatMap { read(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The lines of a head.
    func head() -> [String]? {
        var bytes: [UInt8] = []
        while bytes.suffix(4) != [13, 10, 13, 10] {
            guard let byte = read(1) else { return nil }
            bytes += byte
        }
        let text = String(decoding: bytes.dropLast(4), as: UTF8.self)
        return text.split(separator: "\r\n").map(String.init)
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Passes bytes on in both directions until both ends have finished.
    func pass(to other: Peer) {
        _ = EventThread.start { other.copy(to: self) }
        copy(to: other)
    }

    private func copy(to other: Peer) {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = unsafe recv(descriptor, &buffer, 1 << 14, 0), count > 0 {
            other.write(Array(buffer[..<count]))
        }
        shutdown(other.descriptor, Int32(SHUT_WR))
    }
}
#endif
