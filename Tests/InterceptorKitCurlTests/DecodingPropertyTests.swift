import EngineScenarios
import Expectations
import Foundation
import InterceptorKit
import InterceptorKitConformance
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite("A body in a content coding")
struct DecodingPropertyTests {
    private static let sizes = [0, 0, 1, 5, 300, 4_000, 65_535, 65_536, 65_537, 131_072]

    @Test("equals the original however it is split into parts and pieces")
    func equalsTheOriginal() async throws {
        var (bodies, differing) = (0, [String]())
        for coding in ["gzip", "deflate", "raw", "br", "zstd"] {
            guard let encoder = SystemEncoder(coding) else { continue }
            for seed in 0..<seedCount * 4 {
                var generator = SeededGenerator(seed: seed)
                let (original, encoded) = Self.body(encoder, &generator)
                let pieces = Self.split(encoded, &generator)
                bodies += 1
                if await Self.decode(coding, pieces) != original {
                    differing.append("\(coding) \(seed)")
                }
            }
        }

        print("compression: \(bodies) bodies in every coding and split, \(differing.count) differ")
        expectTrue(differing.isEmpty)
    }

    @Test("is whole after each cut in two, and an error without its end")
    func everyCut() async throws {
        for coding in ["gzip", "deflate", "raw", "br", "zstd"] {
            guard let encoder = SystemEncoder(coding) else { continue }
            let text = Array("some text, and some text again".utf8)
            let part = encoder.part(text, level: 6)
            let silent =
                encoder.isInParts ? encoder.part([], level: 6) + encoder.silentPart([1, 2]) : []
            let encoded = silent + part + silent
            for cut in 1..<encoded.count {
                let whole = await Self.decode(
                    coding,
                    [encoded[..<cut], encoded[cut...]].map { Data($0) }
                )
                let short = await Self.decode(coding, [Data(encoded[..<cut])])
                let isShortOfText = cut < silent.count + part.count
                expectEqual(whole, Data(text), "\(coding), cut at \(cut)")
                expectTrue(
                    short == nil || short == Data(isShortOfText ? [] : text),
                    "\(coding) \(cut)"
                )
            }
        }
    }

    private static func body(
        _ encoder: SystemEncoder,
        _ generator: inout SeededGenerator
    ) -> (Data, [UInt8]) {
        var (original, encoded) = ([UInt8](), [UInt8]())
        for _ in 0...(encoder.isInParts ? generator.next(below: 4) : 0) {
            if encoder.isInParts, generator.next(below: 3) == 0 {
                encoded += encoder.silentPart(
                    [UInt8](repeating: 7, count: generator.next(below: 9))
                )
            }
            let size = sizes[generator.next(below: sizes.count)]
            let isEven = generator.next(below: 2) == 0
            let bytes = isEven ? [UInt8](repeating: 0, count: size) : [UInt8](Samples.bytes(size))
            original += bytes
            encoded += encoder.part(bytes, level: 1 + generator.next(below: 6))
        }
        return (Data(original), encoded)
    }

    private static func split(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [Data] {
        let all = [1, 3, 100, 4_096, 16_384, 1 << 20]
        let longest = all[generator.next(below: 3) + (bytes.count < 1_000 ? 0 : 3)]
        var (pieces, start) = ([Data](), 0)
        while start < bytes.count {
            // Often one byte alone first, which is too little to know a frame by.
            let isShort = start == 0 && generator.next(below: 2) == 0
            let count = isShort ? 1 : min(1 + generator.next(below: longest), bytes.count - start)
            pieces.append(Data(bytes[start..<start + count]))
            start += count
        }
        return pieces
    }

    /// `nil` for an error.
    private static func decode(_ coding: String, _ pieces: [Data]) async -> Data? {
        let name = coding == "raw" ? "deflate" : coding
        guard let decoder = ContentCoding.named(name).flatMap(ContentDecoder.init) else {
            return nil
        }
        let stream = DecodedBodyStream(Pieces(pieces), decoder, host: "host")
        var output = Data()
        do {
            while let piece = try await stream.next() { output += piece }
            return output
        } catch {
            return nil
        }
    }
}

private final class Pieces: HTTP.BodyStream, @unchecked Sendable {
    // Invariant behind `@unchecked Sendable`: one reader at a time calls `next`, which alone touches these.
    private var pieces: [Data]

    init(_ pieces: [Data]) { self.pieces = pieces.reversed() }

    nonisolated(nonsending) func next() async throws -> Data? { pieces.popLast() }

    func cancel() {}
}
