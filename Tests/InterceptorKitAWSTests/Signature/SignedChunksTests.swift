import Expectations
import Foundation
import InterceptorKit
import InterceptorKitAWS
import InterceptorKitSigning
import Testing

@Suite("SignedChunks")
struct SignedChunksTests: SigV4SigningSuite {
    @Test("sends a body in signed chunks, also a one-shot body", arguments: [true, false])
    func chunks(isReplayable: Bool) async throws {
        let content = Data(repeating: UInt8(ascii: "a"), count: 66_560)
        let parts = AsyncStream<Data> { continuation in
            for start in stride(from: 0, to: content.count, by: 10_000) {
                continuation.yield(content[start..<min(start + 10_000, content.count)])
            }
            continuation.finish()
        }
        var request = HTTP.Request.put(
            "https://s3.amazonaws.com/examplebucket/chunkObject.txt",
            body: isReplayable ? .bytes(content) : .oneShot(length: content.count, parts)
        )
        request.headers["x-amz-storage-class"] = "REDUCED_REDUNDANCY"
        let key = SigningKey(
            id: "AKIAIOSFODNN7EXAMPLE",
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8
        )
        let scheme = AWSSignatureV4.s3(region: "us-east-1", payload: .chunked(size: 65_536))

        let signed = try scheme.sign(request, context(key, 1_369_353_600))
        var sent = Data()
        for try await chunk in signed.body { sent += chunk }

        // The figures of AWS, "Signature calculations: transferring payload in multiple chunks".
        expectEqual(
            signature(of: signed),
            "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
        )
        expectEqual(sent.count, 66_824)
        expectEqual(signed.body.length, 66_824)
        let end =
            "0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n"
        expectEqual(sent.suffix(end.utf8.count), Data(end.utf8))
    }
}
