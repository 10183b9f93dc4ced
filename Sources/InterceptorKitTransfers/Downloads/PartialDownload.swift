import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What has come of a download's content: always the beginning of exactly one version of it.
struct PartialDownload {
    // Between two records, so that little is asked for again after a process that ended or a loss of power.
    private static let recordInterval = 4 << 20

    let file: PartialFile
    private let record: ResumeRecord?
    private(set) var count = 0
    /// What the rest must be of; `nil` if the rest cannot be asked for.
    private(set) var version: ContentVersion?
    // Of all bytes so far, if somebody wants it or the part is kept.
    private var checksum: RunningChecksum?
    // How many bytes the record speaks of; `nil` if there is none.
    private var recordedCount: Int?

    /// Opens the file to write to, with what is in it of an earlier call.
    init(
        for destination: DownloadDestination,
        resource: String,
        options: HTTP.DownloadOptions,
        runtime: Runtime
    ) throws {
        guard options.keepsPartial else {
            checksum =
                options.computesChecksum || options.expectedChecksum != nil
                ? RunningChecksum() : nil
            record = nil
            file = try .temporary(for: destination, runtime.random)
            return
        }
        checksum = RunningChecksum()
        file = try .kept(for: destination)
        let part = try file.identity()
        let record = ResumeRecord(for: destination, resource: resource, part: part)
        self.record = record
        if let known = record.content(), known.bytes.count > 0,
            known.bytes.count <= known.version.length, try takeOver(known.bytes)
        {
            version = known.version
        } else {
            try begin(nil)
        }
    }

    /// Goes on behind what the record speaks of, if it is there as it was.
    private mutating func takeOver(_ bytes: ResumeRecord.Bytes) throws -> Bool {
        while count < bytes.count {
            try Task.checkCancellation()
            let chunk = try file.read(at: count).prefix(bytes.count - count)
            guard !chunk.isEmpty else { return false }
            checksum?.update(chunk)
            count += chunk.count
        }
        guard bytes == recordedBytes else { return false }
        recordedCount = count
        try file.truncate(to: count)
        return true
    }

    private var recordedBytes: ResumeRecord.Bytes? {
        checksum.map { .init(count: count, checksum: $0.finalize().description) }
    }

    /// Throws away what is here, for the content of a version.
    mutating func begin(_ version: ContentVersion?) throws(HTTP.TransferError) {
        self.version = nil
        record?.remove()
        recordedCount = nil
        if count > 0 || record != nil { try file.truncate(to: 0) }
        count = 0
        if checksum != nil { checksum = RunningChecksum() }
        self.version = version
        writeRecord()
    }

    mutating func append(_ chunk: Data) throws(HTTP.TransferError) {
        try file.write(chunk, at: count)
        checksum?.update(chunk)
        count += chunk.count
        if let recordedCount, count - recordedCount >= Self.recordInterval { writeRecord() }
    }

    // Where it fails, as on a full disk, the part is kept as far as the record before it says; without one, as where
    // a folder has its name, it is not kept. The download goes on.
    private mutating func writeRecord() {
        guard let record, let version, let bytes = recordedBytes else { return }
        do {
            try record.write(version, bytes)
            recordedCount = count
        } catch {
            if recordedCount == nil { record.remove() }
        }
    }

    /// Puts the whole content to its destination.
    mutating func finish(
        at destination: DownloadDestination,
        _ options: HTTP.DownloadOptions
    ) throws -> HTTP.Checksum? {
        let isWanted = options.computesChecksum || options.expectedChecksum != nil
        let sum = isWanted ? checksum.map { $0.finalize() } : nil
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
    mutating func abandon() {
        if version != nil, let recordedCount, recordedCount != count { writeRecord() }
        if version != nil, recordedCount ?? 0 > 0 { return }
        record?.remove()
        file.remove()
    }

    /// The content cannot be trusted to be of its version.
    mutating func distrust() { version = nil }
}
