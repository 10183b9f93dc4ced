#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tells threads apart.
struct ThreadIdentity: Hashable {
    private let number: UInt

    static var current: Self {
        #if canImport(Glibc)
        Self(number: UInt(pthread_self()))
        #else
        // Safety: the address is compared only, never followed.
        unsafe Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}
