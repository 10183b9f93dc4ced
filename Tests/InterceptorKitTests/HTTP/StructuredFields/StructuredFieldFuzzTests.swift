import Expectations
import Foundation
import InterceptorKit
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@Suite("Structured fields of random text")
struct StructuredFieldFuzzTests {
    @Test("are parsed and read back the same, or refused, without a trap")
    func quickRun() async throws {
        try await besideOtherTests { try fuzz(20_000, seed: 9651) }
    }

    @Test(
        "are parsed so for as many texts as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of texts")
    )
    func longRun() async throws {
        let count = try unwrap(fuzzCount)
        try await besideOtherTests { try fuzz(count, seed: 8941) }
        print("fuzz structured-fields: \(count) texts")
    }
}

private struct Unstable: Error { let text: String }

private func fuzz(_ count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<count {
        let text = randomText(&random)
        let kinds = [
            try roundTrip(
                text,
                { try? HTTP.StructuredField.Item(parsing: $0) },
                { try $0.serialized() }
            ),
            try roundTrip(
                text,
                { try? HTTP.StructuredField.List(parsing: $0) },
                { try $0.serialized() }
            ),
            try roundTrip(
                text,
                { try? HTTP.StructuredField.Dictionary(parsing: $0) },
                { try $0.serialized() }
            ),
        ]
        if kinds.contains(true) { accepted += 1 }
    }
    // Texts that are all refused would show nothing.
    expectTrue(accepted > count / 10)
}

/// Whether the text was read; what was read is written, read and written to the same.
private func roundTrip<Value: Equatable>(
    _ text: String,
    _ parse: (String) -> Value?,
    _ serialize: (Value) throws -> String
) throws -> Bool {
    guard let value = parse(text) else { return false }
    let written = try serialize(value)
    guard let again = parse(written), again == value, try serialize(again) == written else {
        throw Unstable(text: text)
    }
    return true
}

private let samples: [[UInt8]] = [
    "a=1, b;q=0.5, c=(x \"y\" :AQI=:);p, d=?0, e=@1659578233, f=%\"f%c3%bc\"",
    "sugar, tea;milk=?1;s=\"a\\\"b\\\\\", (rum -12.345);*k=999999999999.999",
    "\"text\";a=*tok/en:1;b=:cHJldGVuZA==:", "-999999999999999", "  ", "a,b,a;x,a=(  )",
].map { Array($0.utf8) }

private let marks = Array(" \t,;=()\"\\:?@%*-.0159azAZ/_~\u{7f}\u{0}é".utf8)

/// A sample with some bytes put in, taken out, changed or repeated.
private func randomText(_ random: inout SeededGenerator) -> String {
    var bytes = samples[Int.random(in: 0..<samples.count, using: &random)]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
        let mark = marks[Int.random(in: 0..<marks.count, using: &random)]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.insert(mark, at: place)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.replaceSubrange(place..<end, with: [mark])
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.insert(contentsOf: samples[Int(mark) % samples.count].prefix(9), at: place)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
