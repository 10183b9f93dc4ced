#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's `iconv`, which is part of the C library on Linux; found when it is first needed, so that nothing is
/// linked. Foundation's encodings are not used: on Linux they lack EUC-JP, and cannot replace what is malformed.
@safe
struct SystemIconv: Sendable {
    private typealias Open =
        @convention(c) (_ to: UnsafePointer<CChar>, _ from: UnsafePointer<CChar>) ->
        UnsafeMutableRawPointer?
    private typealias Convert =
        @convention(c) (
            UnsafeMutableRawPointer,
            UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
            UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?
        ) -> Int
    private typealias Close = @convention(c) (UnsafeMutableRawPointer) -> CInt

    private let open: Open
    private let convert: Convert
    private let close: Close

    /// The process itself, and the library of Apple's systems.
    static let usualNames: [String?] = [nil, "/usr/lib/libiconv.2.dylib"]

    /// `nil` if the system has no `iconv`.
    static let shared = SystemIconv(names: usualNames)

    /// Takes the first library that has the functions; `nil` is the process with what it has linked.
    init?(names: [String?]) {
        for name in names {
            guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL),
                let open = unsafe dlsym(library, "iconv_open"),
                let convert = unsafe dlsym(library, "iconv"),
                let close = unsafe dlsym(library, "iconv_close")
            else { continue }
            // Safety: POSIX declares these functions in this way; the library is never closed, so the addresses stay
            // valid.
            unsafe self.open = unsafeBitCast(open, to: Open.self)
            unsafe self.convert = unsafeBitCast(convert, to: Convert.self)
            unsafe self.close = unsafeBitCast(close, to: Close.self)
            return
        }
        return nil
    }

    /// Returns bytes as text.
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - charset: A name that `iconv_open` knows. It is never one from outside: some are commands, such as `//IGNORE`.
    ///   - repairing: Whether U+FFFD replaces what is malformed.
    func text(
        of bytes: Data,
        in charset: String,
        repairing: Bool
    ) throws(Charset.Failure) -> String {
        // Safety: the descriptor is used until it is closed, by this call alone.
        guard let descriptor = unsafe open("UTF-8", charset),
            unsafe descriptor != UnsafeMutableRawPointer(bitPattern: -1)
        else { throw .unsupported }
        defer { _ = unsafe close(descriptor) }
        guard let text = unsafe text(of: Array(bytes), by: descriptor, repairing: repairing) else {
            throw .malformed
        }
        // The byte order mark of UTF-32.
        return String(
            decoding: text.starts(with: "\u{FEFF}".utf8) ? text.dropFirst(3) : text[...],
            as: UTF8.self
        )
    }

    private func text(
        of bytes: [UInt8],
        by descriptor: UnsafeMutableRawPointer,
        repairing: Bool
    ) -> [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // Safety: both buffers are used within the closures that lend them, and iconv keeps to their lengths.
        let isText = unsafe bytes.withUnsafeBufferPointer { input in
            var next = input.baseAddress
            var left = input.count
            while left > 0 {
                let (written, problem) = unsafe buffer.withUnsafeMutableBufferPointer {
                    unsafe step(descriptor, &next, &left, into: $0)
                }
                text += buffer[..<written]
                switch problem {
                case 0: return true
                case E2BIG where written > 0: continue
                case EILSEQ, EINVAL:
                    guard repairing else { return false }
                    text += "\u{FFFD}".utf8
                    // EINVAL is a character that the end cuts off.
                    let skipped = problem == EINVAL ? left : 1
                    unsafe next = next.map { unsafe $0 + skipped }
                    left -= skipped
                default: return false
                }
            }
            return true
        }
        guard isText else { return nil }
        // Some decoders hold a character back, to combine it with the next one.
        var (none, nothing): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        let (written, _) = unsafe buffer.withUnsafeMutableBufferPointer {
            unsafe step(descriptor, &none, &nothing, into: $0)
        }
        return text + buffer[..<written]
    }

    /// Converts what fits; with no input, writes what was held back.
    /// - Returns: The bytes written, and the number of the error that ended it, or 0 at the end of the input.
    private func step(
        _ descriptor: UnsafeMutableRawPointer,
        _ input: inout UnsafePointer<UInt8>?,
        _ left: inout Int,
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> (written: Int, problem: CInt) {
        var output = buffer.baseAddress
        var room = buffer.count
        let result = unsafe convert(descriptor, &input, &left, &output, &room)
        let problem = result == -1 ? errno : 0
        return (buffer.count - room, problem)
    }
}
