import Expectations
import InterceptorKit
import TestSupport
import Testing

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

@Suite("HTTP.Body of a file")
struct FileStreamTests {
    private func withFile<Result>(
        _ content: Data,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let path = FileManager.default.temporaryDirectory
            .appending(component: "interceptorkit-\(UUID().uuidString)").path
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(path)
    }

    @Test("reads a file in chunks, whole or a range of it")
    func files() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try await withFile(content) { path async throws in
            let whole = HTTP.Body.file(path)
            let range = HTTP.Body.file(path, range: 100_000..<150_001)

            expectEqual(whole.length, 200_000)
            expectEqual(range.length, 50_001)
            try await expectEqual(whole.collect(), content)
            try await expectEqual(range.collect(), content[100_000..<150_001])
            try await expectEqual(range.collect(), content[100_000..<150_001])
        }
    }

    @Test("names the file that can't be read, and why")
    func unreadableFiles() async throws {
        let missing = await #expect(throws: HTTP.ContentError.self) {
            try await HTTP.Body.file("no/such/file").collect()
        }
        try await withFile(Data("abc".utf8)) { path async throws in
            let short = await #expect(throws: HTTP.ContentError.self) {
                try await HTTP.Body.file(path, range: 1..<9).collect()
            }
            expectEqual(short?.description.contains("it has 3 bytes and not 9"), true)
        }

        expectEqual(missing?.code, .unreadableFile)
        expectEqual(missing?.description.contains("no/such/file"), true)
    }

    @Test("reads a file that states no size, and knows an empty one")
    func sizeless() async throws {
        try await withFile(Data()) { path async throws in
            let empty = HTTP.Body.file(path)

            expectTrue(empty.isEmpty)
            try await expectEqual(empty.collect(), Data())
        }
        #if os(Linux)
        let body = HTTP.Body.file("/proc/version")
        expectTrue(body.length == nil && !body.isEmpty)
        try await expectEqual(body.collect(), FileManager.default.contents(atPath: "/proc/version"))
        #endif
    }

    @Test("refuses what is no file at once, and waits for no writer")
    func noFiles() async throws {
        let folder = try Folder()
        let pipe = folder["pipe"]
        expectEqual(unsafe mkfifo(pipe, 0o600), 0)

        for path in [folder.path, pipe, "/dev/null"] {
            let body = HTTP.Body.file(path)
            let error = await #expect(throws: HTTP.ContentError.self) { try await body.collect() }
            expectEqual(error?.code, .unreadableFile)
            expectTrue(body.length == nil, "\(path)")
        }
    }

    @Test("fails if a file shrinks while it is read")
    func shrinking() async throws {
        try await withFile(Data(count: 200_000)) { path async throws in
            var chunks = HTTP.Body.file(path).makeAsyncIterator()
            let first = try await chunks.next()
            try Data(count: 70_000).write(to: URL(filePath: path), options: [])

            let error = await #expect(throws: HTTP.ContentError.self) {
                while try await chunks.next() != nil {}
            }

            expectEqual(first?.isEmpty, false)
            expectEqual(error?.code, .unreadableFile)
            expectEqual(error?.description.contains("it became shorter"), true)
        }
    }
}
