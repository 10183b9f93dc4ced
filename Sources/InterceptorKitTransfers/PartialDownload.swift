import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What has come of a download's content: always the beginning of exactly one version of it.
struct PartialDownload {
    let file: PartialFile
    private let record: ResumeRecord?
    private(set) var count = 0
    /// What the rest must be of; `nil` if the rest cannot be asked for.
    private(set) var version: ContentVersion?
    private var checksum: RunningChecksum?

    /// Opens the file to write to, with what is in it of an earlier call.
    init(
        for destination: DownloadDestination,
        resource: String,
        options: HTTP.DownloadOptions,
        runtime: Runtime
    ) throws {
        checksum =
            options.computesChecksum || options.expectedChecksum != nil ? RunningChecksum() : nil
        guard options.keepsPartial else {
            record = nil
            file = try .temporary(for: destination, runtime.random)
            return
        }
        file = try .kept(for: destination)
        let part = try file.identity()
        let record = ResumeRecord(for: destination, resource: resource, part: part)
        self.record = record
        let size = try file.size()
        if let known = record.version(), size > 0, size <= known.length {
            version = known
            try takeOver(size)
        } else {
            try begin(nil)
        }
    }

    private mutating func takeOver(_ size: Int) throws {
        guard checksum != nil else {
            count = size
            return
        }
        while count < size {
            try Task.checkCancellation()
            let chunk = try file.read(at: count).prefix(size - count)
            guard !chunk.isEmpty else { break }
            checksum?.update(chunk)
            count += chunk.count
        }
    }

    /// Throws away what is here, for the content of a version.
    mutating func begin(_ version: ContentVersion?) throws(HTTP.TransferError) {
        self.version = nil
        record?.remove()
        if count > 0 || record != nil { try file.empty() }
        count = 0
        if checksum != nil { checksum = RunningChecksum() }
        if let version { try record?.write(version) }
        self.version = version
    }

    mutating func append(_ chunk: Data) throws(HTTP.TransferError) {
        try file.write(chunk, at: count)
        checksum?.update(chunk)
        count += chunk.count
    }

    /// Puts the whole content to its destination.
    mutating func finish(
        at destination: DownloadDestination,
        _ options: HTTP.DownloadOptions
    ) throws -> HTTP.Checksum? {
        let sum = checksum.map { $0.finalize() }
        if let expected = options.expectedChecksum, let sum, sum != expected {
            version = nil
            throw HTTP.TransferError(
                .checksumMismatch,
                "The content for \(HTTP.printable(destination.path)) has the SHA-256 \(sum) and not "
                    + "\(expected). It was thrown away."
            )
        }
        try Task.checkCancellation()
        try destination.receive(file, replacing: options.replacesExisting)
        record?.remove()
        return sum
    }

    /// Leaves what a later call may go on with, if that was asked for, and nothing otherwise.
    func abandon() {
        if record != nil, version != nil, count > 0 { return }
        record?.remove()
        file.remove()
    }

    /// The content cannot be trusted to be of its version.
    mutating func distrust() { version = nil }
}
