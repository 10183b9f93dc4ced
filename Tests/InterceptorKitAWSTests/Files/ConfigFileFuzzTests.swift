import Expectations
import Foundation
import InterceptorKitTesting
import TestRun
import TestSupport
import Testing

@testable import InterceptorKitAWS

@Suite("Config files, command lines and answers of random text")
struct ConfigFileFuzzTests {
    @Test("are read or refused without a trap, and read back the same")
    func quickRun() async throws {
        try await besideOtherTests { try fuzz(2000, seed: 7321) }
    }

    @Test(
        "are read so for as many texts as INTERCEPTORKIT_FUZZ says",
        .enabled(if: fuzzCount != nil, "INTERCEPTORKIT_FUZZ is not set to a number of texts")
    )
    func longRun() async throws {
        let count = try unwrap(fuzzCount)
        try await besideOtherTests { try fuzz(count, seed: 2207) }
        print("fuzz config-files: \(count) texts")
    }
}

private struct Unstable: Error { let text: String }

private let parts = [
    "[", "]", "[default]", "[profile a]", "[profile \"b c\"]", "[sso-session s]", "=", ":", " = ",
    "\n",
    "\r\n", "\r", "\n  ", "\n\t", "\n\n", "#", ";", " ", "key", "KEY", "region", "value", "\"", "'",
    "\\",
    "\u{0}", "\u{85}", "é", "🔑", "e\u{301}", "<AccessKeyId>", "</AccessKeyId>", "&lt;", "&amp;lt;",
    "{",
    "}", "\"Code\":", "2026-01-01T00:00:00Z", "0", "9", "-", "+", "T", ".",
]

private func fuzz(_ count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<count {
        var text = Bool.random(using: &random) ? "[default]\n" : ""
        for _ in 0..<Int.random(in: 0..<14, using: &random) {
            text += parts[Int.random(in: 0..<parts.count, using: &random)]
        }
        if let file = try? ConfigFile(text) {
            accepted += 1
            guard try ConfigFile(written(file)) == file else { throw Unstable(text: text) }
            _ = SharedConfig(config: file, credentials: file).profile("default")
        }
        if let words = ShellWords.split(text) {
            let quoted = words.map { "'\($0.replacing("'", with: #"'\''"#))'" }
            guard ShellWords.split(quoted.joined(separator: " ")) == words else {
                throw Unstable(text: text)
            }
        }
        _ = AWSTimestamp.date(text)
        _ = AWSTimestamp.date(
            String("2026-01-01T00:00:00Z".dropLast(Int.random(in: 0..<4, using: &random))) + text
        )
        _ = XMLTexts(text)["AccessKeyId"]
        _ = try? AWSCredentials(metadata: text, from: "The service")
    }
    // Texts that are all refused would show nothing.
    expectTrue(accepted > count / 20)
}

/// A file of the same content.
private func written(_ file: ConfigFile) -> String {
    file.sections.map { name, section in
        let values = section.values.map { name, value in
            // Lines of a value are indented, and an empty one in its midst stays empty.
            "\(name) = \(value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n "))\n"
        }
        let nested = section.nested.map { name, values in
            "\(name) =\n" + values.map { "  \($0.key) = \($0.value)\n" }.joined()
        }
        return "[\(name)]\n" + (values + nested).joined()
    }
    .joined()
}
