import Foundation
import InterceptorKit
import InterceptorKitCaching
import TestSupport

extension StoredResponse {
    static func sample(
        _ url: String = "https://example.com/a",
        partition: String = "",
        id: UInt64 = 1,
        selection: [Selector] = [],
        headers: HTTP.Headers = ["Content-Type": "text/plain"],
        respondedAt seconds: Double = 1
    ) -> StoredResponse {
        StoredResponse(
            id: id,
            key: CacheKey(url: url, partition: partition),
            selection: selection,
            status: 200,
            headers: headers,
            requestDate: Date(timeIntervalSinceReferenceDate: 0),
            responseDate: Date(timeIntervalSinceReferenceDate: seconds)
        )
    }
}

extension CacheStore {
    /// Stores a response whole.
    func put(_ response: StoredResponse, _ body: Data) async throws {
        guard let writer = try await writer(for: response, length: body.count) else { return }
        try await writer.write(body)
        try await writer.commit()
    }

    func bytes(of response: StoredResponse) async throws -> Data? {
        try await body(of: response)?.collect()
    }

    func urls() async throws -> [String] { try await contents().map(\.key.url) }
}

extension Data {
    /// Bytes that differ from place to place.
    static func sample(_ count: Int, seed: UInt64 = 1) -> Data {
        var chance = SplitMix64(seed: seed)
        var data = Data()
        while data.count < count {
            unsafe Swift.withUnsafeBytes(of: chance.next()) { unsafe data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }
}

extension Folder {
    /// The files of responses, and of later heads, relative to the folder.
    var entries: [String] {
        names.filter { $0.utf8.count == 64 }.flatMap { directory in
            let names = try? FileManager.default.contentsOfDirectory(atPath: self[directory])
            return (names ?? []).sorted().map { "\(directory)/\($0)" }
        }
    }

    var pendingFiles: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: self["writing"])) ?? []
    }

    func change(_ name: String, _ change: (inout Data) -> Void) throws {
        var content = try Data(contentsOf: URL(fileURLWithPath: self[name]))
        change(&content)
        // In its place, so that the folder's time stays as it is.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: self[name]))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: content)
        try file.close()
    }
}
