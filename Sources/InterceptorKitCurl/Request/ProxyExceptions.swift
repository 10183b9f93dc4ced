import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The hosts that are reached without the proxy. They are compared here because libcurl's versions read the entries
/// differently, and an entry that libcurl skips would send a request to the proxy.
///
/// An entry is a name, including its subdomains, optionally with `.` or `*.` before it; an IP address, an IPv6 one
/// optionally in brackets; a network such as `10.0.0.0/8` or `fd00::/8`; or `*` for every host. A name or address with
/// a port, as in `h.example:8080` or `[::1]:80`, applies to this port. Any other entry has no effect.
struct ProxyExceptions: Sendable {
    private enum Host {
        case every
        case name(String)
        case network(address: [UInt8], bits: Int)
    }

    private struct Entry {
        let host: Host
        let port: Int?

        init?(_ text: Substring) {
            var host = text
            var port: Int?
            if text.begins(with: "["), let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) {
                host = text[text.utf8.index(after: text.startIndex)..<end]
                guard host.holds(":") else { return nil }
                let rest = text[text.utf8.index(after: end)...]
                if !rest.isEmpty {
                    guard rest.begins(with: ":"),
                        let number = Self.number(Substring(rest.utf8.dropFirst()))
                    else { return nil }
                    port = number
                }
            } else if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
                text.utf8.firstIndex(of: UInt8(ascii: ":")) == colon
            {
                guard let number = Self.number(text[text.utf8.index(after: colon)...]) else {
                    return nil
                }
                host = text[..<colon]
                port = number
            }
            guard let found = Self.host(host) else { return nil }
            self.host = found
            self.port = port
        }

        private static func host(_ text: Substring) -> Host? {
            if text == "*" { return .every }
            let parts = text.split(at: "/", omittingEmptySubsequences: false)
            if let address = ProxyExceptions.address(String(parts[0])) {
                let whole = address.count * 8
                guard parts.count > 1 else { return .network(address: address, bits: whole) }
                guard parts.count == 2, let bits = number(parts[1]), bits <= whole else {
                    return nil
                }
                return .network(address: address, bits: bits)
            }
            var name = text.utf8
            if name.starts(with: "*.".utf8) { name = name.dropFirst() }
            if name.first == UInt8(ascii: ".") { name = name.dropFirst() }
            if name.last == UInt8(ascii: ".") { name = name.dropLast() }
            return name.isEmpty ? nil : .name(Substring(name).lowercased())
        }

        private static func number(_ text: Substring) -> Int? {
            guard 1...5 ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
                return nil
            }
            return Int(text)
        }
    }

    private let entries: [Entry]

    /// - Parameter lists: Lists of entries, separated by commas or blanks.
    init(_ lists: [String]) {
        entries = lists.flatMap { list in
            list.split(at: ",").flatMap { $0.split(at: " ") }.compactMap { Entry($0) }
        }
    }

    /// Creates the exceptions of settings, or else of the environment at this time: `no_proxy`, or else `NO_PROXY`.
    init(of proxy: CurlTransport.Proxy) {
        let variables = ["no_proxy", "NO_PROXY"].lazy.compactMap(variable)
        self.init(proxy.exceptions.isEmpty ? [variables.first ?? ""] : proxy.exceptions)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether a URL's host and port are reached without the proxy.
    func contain(_ url: HTTP.URL) -> Bool {
        guard !entries.isEmpty, let origin = url.origin else { return false }
        let host = origin.host
        let bare = host.begins(with: "[") ? String(host.utf8.dropFirst().dropLast()) ?? host : host
        let name = bare.ends(with: ".") ? String(bare.utf8.dropLast()) ?? bare : bare
        let address = Self.address(name)
        return entries.contains { entry in
            guard entry.port == nil || entry.port == origin.port else { return false }
            return switch entry.host {
            case .every: true
            case .network(let network, let bits): Self.isSame(network, address ?? [], bits)
            case .name(let domain): address == nil && Self.isName(name, in: domain)
            }
        }
    }

    private static func isName(_ name: String, in domain: String) -> Bool {
        guard name.ends(with: domain) else { return false }
        let rest = name.utf8.dropLast(domain.utf8.count)
        return rest.isEmpty || rest.last == UInt8(ascii: ".")
    }

    /// Returns the bytes of an IP address, 4 or 16; `nil` for other text.
    private static func address(_ text: String) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        // Safety, of both: the text has no NUL within, and as many bytes are written at most as there are.
        if unsafe inet_pton(AF_INET6, text, &bytes) == 1 { return bytes }
        return unsafe inet_pton(AF_INET, text, &bytes) == 1 ? Array(bytes.prefix(4)) : nil
    }

    private static func isSame(_ left: [UInt8], _ right: [UInt8], _ bits: Int) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).enumerated().allSatisfy { index, pair in
            let rest = min(max(bits - index * 8, 0), 8)
            return (pair.0 ^ pair.1) >> (8 - rest) == 0
        }
    }
}

/// Returns a variable of the environment; `nil` if it is missing or empty.
func variable(_ name: String) -> String? {
    // Safety: the value is copied in this call. The name is no argument, which would be a copy.
    guard let value = unsafe name.withCString({ unsafe getenv($0) }) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
}
