import InterceptorKitTesting
import TestRun

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Texts of any length that anybody may send: one piece again and again, or numbered, so that no two are alike.
package struct ScalePattern: Sendable {
    package let name: String
    private let piece: @Sendable (_ number: Int) -> String

    package func text(of count: Int) -> String {
        var text = ""
        var number = 0
        while text.utf8.count < count {
            text += piece(number)
            number += 1
        }
        return text
    }

    package static let all: [ScalePattern] = {
        let repeated = [
            "a", " ", "\t", ",", ";", "=", "\"", "\\", "'", "(", ")", "[", "]", "{", "}", "<", ">",
            "&", "%",
            "/", ":", "?", "#", "@", ".", "-", "+", "*", "_", "0", "9", "\n", "\r", "\r\n", "\r\n ",
            "%41",
            "a ", "a,", "a;", "a=", "a=b,", "a=b;", "a=b&", "\"a\",", "\\\"", "(a) ", "[1,",
            "{\"a\":", "1,",
            "/..", "/a", "//", "..", "a.", "a-", "<a>", "</a>", "&amp;", "data: a\n", "id: a\n",
            "\n\n",
            "a\u{301}", "\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{1F469}\u{200D}", "é", "\u{FFFD}",
            "://", "eyJ.",
            "token=", "Bearer ", "password: ", "-----BEGIN PRIVATE KEY-----\n",
        ]
        let numbered: [(String, @Sendable (String) -> String)] = [
            ("k,", { "k\($0)," }), ("k=,", { "k\($0)=," }), ("k=v;", { "k\($0)=v;" }),
            ("k=&", { "k\($0)=&" }), ("k=\"v\",", { "k\($0)=\"v\"," }),
            ("\"k\" ", { "\"k\($0)\" " }),
            ("\"x\";key=\"k\" ", { "\"x\";key=\"k\($0)\" " }), ("{\"k\":", { "{\"k\($0)\":" }),
            ("\"k\":1,", { "\"k\($0)\":1," }), ("/k", { "/k\($0)" }), ("k.", { "k\($0)." }),
            ("<k>", { "<k\($0)>" }), ("k: v\n", { "k\($0): v\n" }), ("k=?1, ", { "k\($0)=?1, " }),
            ("<k>; rel=k, ", { "<k\($0)>; rel=k\($0), " }), ("Basic k=v, ", { "B\($0) k=v, " }),
        ]
        return repeated.map { piece in ScalePattern(name: piece.debugDescription) { _ in piece } }
            + numbered.map { name, piece in
                ScalePattern(name: name) { piece(String($0, radix: 36)) }
            }
    }()
}

/// Something that reads text from outside.
package struct ScaleReader: Sendable {
    package let name: String
    /// Stands before and after the pattern, to come to where it is read.
    private let start: String
    private let end: String
    private let read: @Sendable (_ text: String) async -> Void

    package init(
        _ name: String,
        from start: String = "",
        to end: String = "",
        _ read: @escaping @Sendable (_ text: String) async -> Void
    ) {
        self.name = name
        self.start = start
        self.end = end
        self.read = read
    }

    /// The patterns that take a time which grows faster than their length: 64 KiB more than eight times as much
    /// of the thread's processor time as 16, where 4 is linear and 16 a square.
    package func worseThanLinear() async throws -> [String] {
        try await besideOtherTests {
            try Simulation.run { _ in
                var worse: [String] = []
                for pattern in ScalePattern.all {
                    // Most are seen to be fast with less.
                    let few = await time(of: pattern, 2 << 10)
                    let more = await time(of: pattern, 8 << 10)
                    guard more > 2000, more > 6 * few else { continue }
                    var (least, most) = (Double.infinity, Double.infinity)
                    // On a busy machine one time may say nothing, and the least of some does.
                    for _ in 0..<12 where most.isInfinite || most > 8 * least {
                        least = min(least, await time(of: pattern, 16 << 10))
                        most = min(most, await time(of: pattern, 64 << 10))
                    }
                    if most > 8 * least { worse.append("\(name) of \(pattern.name)") }
                }
                return worse
            }
        }
    }

    private func time(of pattern: ScalePattern, _ count: Int) async -> Double {
        let text = start + pattern.text(of: count) + end
        let began = timeOfThread()
        await read(text)
        return timeOfThread() - began
    }
}
