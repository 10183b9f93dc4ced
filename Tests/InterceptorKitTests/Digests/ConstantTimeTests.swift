import Expectations
import InterceptorKit
import Testing

@Suite("ConstantTime")
struct ConstantTimeTests {
    @Test("tells equal bytes from bytes that differ in content or length")
    func comparison() {
        expectTrue(ConstantTime.isEqual([1, 2, 3], [1, 2, 3]))
        expectTrue(!ConstantTime.isEqual([1, 2, 3], [1, 2, 4]))
        expectTrue(!ConstantTime.isEqual([1, 2, 3], [1, 2]))
    }
}
