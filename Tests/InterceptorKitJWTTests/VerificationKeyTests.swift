#if JWT
import Expectations
@testable import InterceptorKitJWT
import Testing

@Suite("VerificationKey")
struct VerificationKeyTests {}
#endif
