import Expectations
import Foundation
import InterceptorKitConformance
import Testing

@Suite("Samples")
struct SamplesTests {
    @Test("has every byte value, and as many bytes as told", arguments: [0, 1, 65_521, 200_000])
    func bytes(count: Int) {
        let bytes = Samples.bytes(count)

        expectEqual(bytes.count, count)
        expectEqual(bytes, Samples.bytes(count + 70_000).prefix(count))
        expectTrue(count < 65_521 || Set(bytes).count == 256)
    }

    @Test("makes chunks that are together the bytes, and no two alike")
    func chunks() async {
        var chunks: [Data] = []
        for await chunk in Samples.chunks(50, of: 1_000) { chunks.append(chunk) }

        expectEqual(chunks.count, 50)
        expectEqual(Data(chunks.joined()), Samples.bytes(50_000))
        expectEqual(Set(chunks).count, 50)
    }

    @Test("lends a file with the content and removes it, also after an error")
    func file() async throws {
        struct Refusal: Error {}
        let paths = Recorded<String>()

        let content = try await Samples.withFile(Data("abc".utf8)) { path in
            paths.note(path)
            return FileManager.default.contents(atPath: path)
        }
        await #expect(throws: Refusal.self) {
            try await Samples.withFile(Data()) { path in
                paths.note(path)
                throw Refusal()
            }
        }

        expectEqual(content, Data("abc".utf8))
        expectEqual(paths.values.count, 2)
        expectTrue(!paths.values.contains { FileManager.default.fileExists(atPath: $0) })
    }
}
