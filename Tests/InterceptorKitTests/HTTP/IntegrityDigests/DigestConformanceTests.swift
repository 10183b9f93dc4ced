import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite("Digests against the examples of RFC 9530")
struct DigestConformanceTests {
    @Test(
        "are read, verified and made as the RFC shows",
        .tags(.vectors),
        .vectors("digest/rfc9530.json")
    )
    func conformance() throws {
        let data = try Vectors.data("digest/rfc9530.json")
        let examples = try JSONDecoder().decode(Examples.self, from: data)
        var result = Conformance("digest")

        for message in examples.messages {
            result.note(message.isRight, message.id)
        }
        for sample in examples.samples {
            if ["adler", "crc32c", "unixsum", "unixcksum"].contains(sample.algorithm) {
                result.skip()
            } else {
                result.note(sample.isRight, "sample \(sample.algorithm)")
            }
        }
        result.note(examples.multiple_digest_example.isRight, "multiple digests")

        expectEqual(result.failures, [])
        expectEqual(result.passed, 17)
        print(result.summary)
    }
}

private struct Examples: Decodable {
    let messages: [Message]
    let samples: [Sample]
    let multiple_digest_example: Field

    struct Message: Decodable {
        let id: String
        let content_base64: Data
        let content_digest: String?
        let repr_digest: String?
        let representation_base64: Data

        /// Whether each field is read, fits its bytes, not others, and is what is made of these.
        var isRight: Bool {
            let fields = [
                (content_digest, content_base64), (repr_digest, representation_base64),
            ]
            return fields.allSatisfy { field, bytes in
                guard let field else { return true }
                guard let digests = try? HTTP.IntegrityDigests(parsing: field),
                    (try? digests.verify(bytes)) != nil,
                    (try? digests.verify(bytes + [0])) == nil,
                    let made = try? HTTP.IntegrityDigests(of: bytes, digests.algorithms)
                else { return false }
                return (try? made.serialized()) == field
            }
        }
    }

    struct Sample: Decodable {
        let algorithm: String
        let input_base64: Data
        let value: String
        let registered_status: String

        var isRight: Bool {
            let algorithm = HTTP.DigestAlgorithm(algorithm)
            let made = try? HTTP.IntegrityDigests(of: input_base64, [algorithm])
            return made?[algorithm].map { Data($0).base64EncodedString() } == value
                && HTTP.DigestAlgorithm.active.contains(algorithm)
                    == (registered_status == "Active")
        }
    }

    struct Field: Decodable {
        let value: String

        /// Whether both digests are read; each is over other bytes.
        var isRight: Bool {
            let digests = try? HTTP.IntegrityDigests(parsing: value)
            return digests?.algorithms == [.sha256, .sha512] && digests?[.sha512]?.count == 64
        }
    }
}
