import CInterceptorKitCurl
import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The source and progress of a request's body.
///
/// It belongs to the holder of the loop's driver once the transfer has started.
struct Upload {
    enum Source {
        case memory(Data)
        case file(OpenFile)
        case pipe(UploadPipe)
    }

    enum Supply {
        case bytes(Int)
        case end
        /// Nothing has arrived yet; later data is reported.
        case later
        case failed(CurlFailure)
    }

    private let source: Source
    private(set) var sent = 0

    init(_ source: Source) { self.source = source }

    var pipe: UploadPipe? { if case .pipe(let pipe) = source { pipe } else { nil } }

    /// Returns to the beginning; `false` if the bytes already taken are gone.
    mutating func rewind() -> Bool {
        if sent > 0, case .pipe = source { return false }
        sent = 0
        return true
    }

    mutating func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Supply {
        let supply: Supply
        // Safety: each source writes at most the buffer's count; libcurl lends the buffer for this call.
        switch source {
        case .memory(let data):
            let count = min(buffer.count, data.count - sent)
            let rest = data.dropFirst(sent)
            unsafe rest.copyBytes(to: buffer, count: count)
            supply = count > 0 ? .bytes(count) : .end
        case .file(let file):
            supply = unsafe file.read(at: sent, into: buffer)
        case .pipe(let pipe):
            supply = unsafe pipe.take(into: buffer)
        }
        if case .bytes(let count) = supply { sent += count }
        return supply
    }
}
