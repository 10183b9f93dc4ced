#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's zlib, opened when it is first needed, so that nothing is linked.
@safe
struct SystemZlib: Sendable {
    typealias Initialize =
        @convention(c) (
            UnsafeMutableRawPointer, CInt, CInt, CInt, CInt, CInt, UnsafePointer<CChar>?, CInt
        ) -> CInt
    typealias Deflate = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
    typealias End = @convention(c) (UnsafeMutableRawPointer) -> CInt
    typealias Checksum =
        @convention(c) (CUnsignedLong, UnsafeRawPointer?, CUnsignedInt) -> CUnsignedLong
    private typealias Version = @convention(c) () -> UnsafePointer<CChar>?

    let initialize: Initialize
    let deflate: Deflate
    let end: End
    let checksum: Checksum
    // The address of the version's text, valid because the library is never closed.
    let version: UInt

    /// The usual names, with the binary interface that has been the same since zlib 1.2.
    static let usualNames = ["libz.so.1", "/usr/lib/libz.1.dylib"]

    /// `nil` if the system has no zlib.
    static let shared = SystemZlib(names: usualNames)

    /// Opens the first library that exists and has the functions.
    init?(names: [String]) {
        for name in names {
            guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL),
                let version = unsafe dlsym(library, "zlibVersion"),
                let initialize = unsafe dlsym(library, "deflateInit2_"),
                let deflate = unsafe dlsym(library, "deflate"),
                let end = unsafe dlsym(library, "deflateEnd"),
                let checksum = unsafe dlsym(library, "crc32")
            else { continue }
            // Safety: zlib.h declares these functions in this way and has not changed them since version 1.2; the
            // library is never closed, so the addresses stay valid.
            unsafe self.initialize = unsafeBitCast(initialize, to: Initialize.self)
            unsafe self.deflate = unsafeBitCast(deflate, to: Deflate.self)
            unsafe self.end = unsafeBitCast(end, to: End.self)
            unsafe self.checksum = unsafeBitCast(checksum, to: Checksum.self)
            let text = unsafe unsafeBitCast(version, to: Version.self)()
            self.version = UInt(bitPattern: text)
            return
        }
        return nil
    }
}

/// zlib's `z_stream`, which is the same in every version since 1.1.
///
/// Swift lays the members out as C does: in order, each at its own alignment. zlib compares the given size with its own
/// and refuses another.
@safe
struct ZlibStream {
    var nextIn: UnsafeRawPointer?
    var availableIn: CUnsignedInt = 0
    var totalIn: CUnsignedLong = 0
    var nextOut: UnsafeMutableRawPointer?
    var availableOut: CUnsignedInt = 0
    var totalOut: CUnsignedLong = 0
    var message: UnsafeRawPointer?
    var state: UnsafeRawPointer?
    var allocate: UnsafeRawPointer?
    var release: UnsafeRawPointer?
    var opaque: UnsafeRawPointer?
    var dataType: CInt = 0
    var adler: CUnsignedLong = 0
    var reserved: CUnsignedLong = 0

    init() {}
}
