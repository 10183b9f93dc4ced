#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's name resolver, which blocks.
enum SystemResolver {
    /// Returns the addresses of a name as text, of the address families that this machine has.
    static func addresses(of host: String) throws(LoadBalancingError) -> [String] {
        // Safety: the resolver reads the hints within the call and sets the list only if it returns 0. The list is read
        // before it is freed, and nothing of it is kept.
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_ADDRCONFIG
        unsafe hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        unsafe hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            let reason = unsafe String(cString: gai_strerror(code))
            throw .notResolved(host, reason)
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = unsafe list
        while let found = unsafe entry {
            if let text = unsafe text(of: found.pointee) { addresses.append(text) }
            unsafe entry = found.pointee.ai_next
        }
        return addresses
    }

    private static func text(of entry: addrinfo) -> String? {
        guard unsafe entry.ai_family == AF_INET || entry.ai_family == AF_INET6 else { return nil }
        // Safety: the system writes at most that many bytes, and terminates them with a zero if it returns 0.
        var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
            entry.ai_addr,
            entry.ai_addrlen,
            &bytes,
            socklen_t(bytes.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        guard code == 0 else { return nil }
        let text = String(
            decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        // Such an address is meaningless without its interface, which an address to connect to cannot name.
        return text.utf8.contains(UInt8(ascii: "%")) ? nil : text
    }
}
