import Testing

@testable import InterceptorKit
@testable import InterceptorKitSigning

@Suite("SignatureTemplate")
struct SignatureTemplateTests {
    @Test("is the same however its fixed text was put together")
    func literals() {
        let inner: SignatureTemplate = "b\(.method)c"
        let whole: SignatureTemplate = "ab\(.method)cd"

        #expect("a\(inner)d" as SignatureTemplate == whole)
        #expect("\("a")\(SignatureTemplate.empty)b\(.method)\("")cd" as SignatureTemplate == whole)
        #expect(whole.pieces.count == 3)
        #expect("" as SignatureTemplate == .empty)
        #expect(SignatureTemplate.empty.pieces.isEmpty)
    }

    @Test("finds a value at any depth")
    func depth() {
        let deep: SignatureTemplate =
            "a\(.base64("\(.uppercased("\(.encoded("\(.hash(.sha256, of: "\(.secret)"))"))"))"))"

        #expect(deep.contains { $0 == .secret })
        #expect(!deep.contains { $0 == .nonce })
        #expect(!("secret" as SignatureTemplate).contains { _ in true })
    }
}
