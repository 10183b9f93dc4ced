import Expectations
import Foundation
import Testing

@testable import InterceptorKitEtcd

@Suite("The largest revision there is")
struct LargestRevisionTests {
    @Test("is watched from where it is")
    func watched() {
        let creation = EtcdWatch.Creation(key: Data(), after: EtcdNumber(.max))

        expectEqual(creation.start, EtcdNumber(.max))
    }
}
