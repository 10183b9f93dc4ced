import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The received part of a download's content: always the beginning of exactly one version.
struct PartialDownload {
    // The bytes between two records: at most these are requested again after a crash or a loss of power.
    private static let recordInterval = 4 << 20

    let file: PartialFile
    private let record: ResumeRecord?
    private(set) var count = 0
    /// The version that the rest must have; `nil` if the rest cannot be requested.
    private(set) var version: ContentVersion?
    // Covers all bytes so far; `nil` if it is neither requested nor needed for a kept part.
    private var checksum: RunningChecksum?
    // The number of bytes that the record covers; `nil` without a record.
    private var recordedCount: Int?

    /// Opens the file, with the part of an earlier call if there is one.
    init(
        for destination: DownloadDestination,
        resource: String,
        options: HTTP.DownloadOptions,
        runtime: Runtime
    ) throws {
        guard options.keepsPart else {
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
        let recorded = record.content()
        let given = options.resumeData.flatMap { $0.part == part ? $0 : nil }
        if let known = recorded ?? given, known.isUsable, try takeOver(known.bytes) {
            version = known.version
            if recorded == nil { writeRecord() }
        } else {
            try begin(nil)
        }
    }

    /// Continues after the recorded bytes, if the file still has them.
    private mutating func takeOver(_ bytes: HTTP.ResumeData.Bytes) throws -> Bool {
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

    private var recordedBytes: HTTP.ResumeData.Bytes? {
        checksum.map { .init(count: count, checksum: $0.finalize().description) }
    }

    /// Discards the received content, and begins with the content of a version.
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

    // If this fails, as on a full disk, an earlier record keeps its part; without one, such as where a folder has the
    // record's name, nothing is kept. The download continues.
    private mutating func writeRecord() {
        guard let record, let version, let bytes = recordedBytes else { return }
        do {
            try record.write(version, bytes)
            recordedCount = count
        } catch {
            if recordedCount == nil { record.remove() }
        }
    }

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

    /// Keeps the part for a later call if requested, and removes it otherwise.
    mutating func abandon() {
        if version != nil, let recordedCount, recordedCount != count { writeRecord() }
        if version != nil, recordedCount ?? 0 > 0 { return }
        record?.remove()
        file.remove()
    }

    /// Marks the content as possibly of another version, so that it is not kept.
    mutating func distrust() { version = nil }
}
