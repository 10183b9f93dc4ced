import Expectations
import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignatureTemplate")
struct SignatureTemplateTests {
    @Test("is the same however its fixed text was put together")
    func literals() {
        let inner: SignatureTemplate = "b\(.method)c"
        let whole: SignatureTemplate = "ab\(.method)cd"

        expectEqual("a\(inner)d" as SignatureTemplate, whole)
        expectEqual(
            "\("a")\(SignatureTemplate.empty)b\(.method)\("")cd" as SignatureTemplate,
            whole
        )
        expectEqual(whole.pieces.count, 3)
        expectEqual("" as SignatureTemplate, .empty)
        expectTrue(SignatureTemplate.empty.pieces.isEmpty)
    }

    @Test("finds a value at any depth")
    func depth() {
        let deep: SignatureTemplate =
            "a\(.base64("\(.uppercased("\(.encoded("\(.hash(.sha256, of: "\(.secret)"))"))"))"))"

        expectTrue(deep.contains { $0 == .secret })
        expectTrue(!deep.contains { $0 == .nonce })
        expectTrue(!("secret" as SignatureTemplate).contains { _ in true })
    }
}
