public import InterceptorKit
import InterceptorKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Chooses the same endpoint for the same key, for caches and sessions, by rendezvous hashing (Thaler and Ravishankar,
/// 1998) with weights.
///
/// ```swift
/// RendezvousPolicy { request, _ in request.url.path }
/// ```
///
/// When an endpoint leaves, only its keys move. A retry goes to the key's next endpoint. Every process makes the same
/// choice from the same set.
public struct RendezvousPolicy: LoadBalancingPolicy {
    private let key: @Sendable (_ request: HTTP.Request, _ call: Call) -> String?

    /// Creates the policy.
    /// - Parameter key: Returns the key of a request; for `nil`, the choice is random.
    public init(key: @escaping @Sendable (_ request: HTTP.Request, _ call: Call) -> String?) {
        self.key = key
    }

    public func choose(
        from candidates: EndpointCandidates,
        for request: HTTP.Request,
        call: Call,
        random: UInt64
    ) -> Int {
        let hash = key(request, call).map(StableHash.of) ?? random
        var best = 0
        var highest = -Double.infinity
        for (position, member) in candidates.members.enumerated() {
            let mixed = SplitMix64.mix(hash ^ member.hash)
            // In the open interval from 0 to 1. The logarithm makes shares proportional to the weights.
            let share = (Double(mixed >> 11) + 0.5) * 0x1p-53
            let score = member.weight / -log(share)
            if score > highest { (best, highest) = (position, score) }
        }
        return best
    }
}

/// A hash that is the same in every process, unlike that of the standard library: FNV-1a with a mixing step.
enum StableHash {
    static func of(_ text: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return SplitMix64.mix(hash)
    }
}
