#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whether the engine may ask a proxy for a tunnel, of which it tells as if it were the host's response.
enum Tunnels {
    /// By the variables that libcurl reads for `https`, whatever they except.
    static var areConfigured: Bool {
        #if canImport(FoundationNetworking)
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { name in
            // Safety: the text is looked at in this call only.
            guard let value = unsafe getenv(name) else { return false }
            return unsafe value.pointee != 0
        }
        #else
        false
        #endif
    }
}
