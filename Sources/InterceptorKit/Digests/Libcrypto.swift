#if !canImport(CryptoKit)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The hash functions of the system's libcrypto, opened when long data is first hashed, so that nothing is linked.
///
/// They are those of `EVP_`: libcrypto makes, copies and frees the context of each hash, whose size it alone knows.
@safe
struct Libcrypto: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: nothing changes or frees the algorithms, and the library is never closed.
    // Safety: evp.h and crypto.h declare the functions as they are typed here.

    typealias Make = @convention(c) () -> OpaquePointer?
    typealias Free = @convention(c) (OpaquePointer?) -> Void
    typealias Copy = @convention(c) (_ to: OpaquePointer?, _ from: OpaquePointer?) -> CInt
    typealias Begin = @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> CInt
    typealias Update = @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> CInt
    typealias Finish =
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, OpaquePointer?) -> CInt

    private typealias Initialize = @convention(c) (UInt64, OpaquePointer?) -> CInt
    private typealias Fetch =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, OpaquePointer?) -> OpaquePointer?
    private typealias Get = @convention(c) (UnsafePointer<CChar>) -> OpaquePointer?

    let make: Make
    let free: Free
    let copy: Copy
    let begin: Begin
    var update: Update
    let finish: Finish
    // By the functions' raw values; `nil` for one that is missing, or refused by the configuration.
    private var algorithms: [OpaquePointer?]

    /// The names of OpenSSL 3 and 1.1.1, in the order in which they are tried.
    static let usualNames = ["libcrypto.so.3", "libcrypto.so.1.1"]

    /// `nil` if the system has no libcrypto.
    static let shared = Libcrypto(names: usualNames)

    /// Opens the first library that exists.
    init?(names: [String]) {
        var opened: UnsafeMutableRawPointer?
        for name in names where unsafe opened == nil {
            unsafe opened = dlopen(name, RTLD_NOW | RTLD_LOCAL)
        }
        guard let library = unsafe opened else { return nil }
        func find<Function>(_ name: String, as type: Function.Type) -> Function? {
            unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: type) }
        }
        guard let make = unsafe find("EVP_MD_CTX_new", as: Make.self),
            let free = unsafe find("EVP_MD_CTX_free", as: Free.self),
            let copy = unsafe find("EVP_MD_CTX_copy_ex", as: Copy.self),
            let begin = unsafe find("EVP_DigestInit_ex", as: Begin.self),
            let update = unsafe find("EVP_DigestUpdate", as: Update.self),
            let finish = unsafe find("EVP_DigestFinal_ex", as: Finish.self)
        else { return nil }
        unsafe self.make = make
        unsafe self.free = free
        unsafe self.copy = copy
        unsafe self.begin = begin
        unsafe self.update = update
        unsafe self.finish = finish
        // OPENSSL_INIT_NO_ATEXIT: otherwise the end of the process frees what other threads still hash with.
        _ = unsafe find("OPENSSL_init_crypto", as: Initialize.self)?(0x80000, nil)
        // Without EVP_MD_fetch, OpenSSL 3 looks an algorithm up for each hash, which takes 0.5 us.
        let fetch = unsafe find("EVP_MD_fetch", as: Fetch.self)
        let get = unsafe find("EVP_get_digestbyname", as: Get.self)
        unsafe algorithms = HashAlgorithm.Function.allCases.map { function in
            unsafe function.systemName.withCString { name in
                unsafe fetch.map { unsafe $0(nil, name, nil) } ?? get?(name)
            }
        }
        for function in HashAlgorithm.Function.allCases where !hashesAsThisLibrary(function) {
            unsafe algorithms[function.rawValue] = nil
        }
    }

    /// libcrypto's implementation of an algorithm; `nil` if this library hashes by its own.
    subscript(algorithm: HashAlgorithm) -> OpaquePointer? {
        unsafe algorithms[algorithm.function.rawValue]
    }

    private func hashesAsThisLibrary(_ function: HashAlgorithm.Function) -> Bool {
        let algorithm = HashAlgorithm(function: function)
        let bytes = (0..<RunningHash.systemMinimum - 1).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        guard var hash = SystemHash(algorithm, self) else { return false }
        unsafe bytes.withUnsafeBytes { unsafe hash.update($0) }
        let digest = unsafe HashAlgorithm.Digest(count: algorithm.digestSize) {
            unsafe hash.finalize(into: $0)
        }
        // Too short for the system, so this does not open libcrypto again.
        return digest == algorithm.hash(bytes)
    }
}

extension HashAlgorithm.Function {
    fileprivate var systemName: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        case .sha512_256: "SHA512-256"
        }
    }
}
#endif
