import Expectations
import Foundation
import Testing

@testable import InterceptorKitCurl

@Suite("ContentCoding")
struct ContentCodingTests {
    @Test(
        "is found by its name in any case, or by the old name of gzip",
        arguments: ["gzip", "GZip", "x-gzip", "X-GZIP"]
    )
    func named(value: String) throws {
        expectEqual(ContentCoding.named(value)?.name, "gzip")
    }

    @Test(
        "is not found for none, for one unknown or for more than five",
        arguments: ["", "identity", "gzip, x-deflate", "gzip,gzip,gzip,gzip,gzip,gzip"]
    )
    func unknown(value: String) {
        expectTrue(ContentCoding.list(value).isEmpty)
    }

    @Test("is found for several in a row")
    func row() {
        expectEqual(ContentCoding.list("deflate , GZIP").map(\.name), ["deflate", "gzip"])
    }

    @Test("is found for each name in Accept-Encoding")
    func accepted() {
        let names = ContentCoding.accepted.split(separator: ", ").map(String.init)

        expectEqual(names.first, "gzip")
        expectEqual(names.map { ContentCoding.named($0)?.name }, names)
    }

    @Test("decodes no more than fits, until the end")
    func steps() throws {
        // "hello hello" as gzip.
        let base64 = "H4sIAAAAAAACA8tIzcnJV8gAkQBApi0BCwAAAA=="
        let gzip = try unwrap(Data(base64Encoded: base64))
        let input = Array(gzip)
        let decoder = try unwrap(ContentCoding.named("gzip").flatMap(ContentDecoder.init))
        var text = ""
        var used = 0
        var steps: [ContentDecoder.Step] = []

        while steps.count < 20, steps.last != .ended, steps.last != .failed {
            let (result, bytes) = decoder.step(input.dropFirst(used), output: 4)
            steps.append(result.step)
            used += result.used
            text += String(decoding: bytes, as: UTF8.self)
        }

        expectEqual(text, "hello hello")
        expectEqual(steps.last, .ended)
        expectEqual(steps.first, .wantsOutput)
        expectEqual(used, gzip.count)
    }
}

extension ContentDecoder {
    fileprivate func step(
        _ input: ArraySlice<UInt8>,
        output count: Int
    ) -> (result: (step: Step, used: Int, made: Int), bytes: ArraySlice<UInt8>) {
        var output = [UInt8](repeating: 0, count: count)
        let result = unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { unsafe step(input, into: $0) }
        }
        return (result, output.prefix(result.made))
    }
}
