import CInterceptorKitCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that libcurl reads in place, so that a bundle of certificates is not copied for each request.
@safe
final class PinnedBytes: @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: written in `init` only.
    // Safety: the blob points to `bytes` and states their count; both are freed with this object, which a configuration
    // keeps as long as handles have its address.
    private let bytes: UnsafeMutableRawBufferPointer
    private let blob: UnsafeMutablePointer<ikcurl_blob>

    init(_ data: Data) {
        unsafe bytes = .allocate(byteCount: max(1, data.count), alignment: 1)
        unsafe data.copyBytes(to: bytes, count: data.count)
        unsafe blob = .allocate(capacity: 1)
        unsafe blob.initialize(
            to: ikcurl_blob(data: bytes.baseAddress, length: data.count, flags: 0)
        )
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe blob.deallocate()
    }

    /// The description for libcurl, valid as long as this object.
    var memory: UnsafeRawPointer { unsafe UnsafeRawPointer(blob) }
}
