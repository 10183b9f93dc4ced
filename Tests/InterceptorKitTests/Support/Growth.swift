import Foundation

/// How many times as much of a processor's time work takes when there is eight times as much of it: about
/// 8 where it grows with the amount, 64 where with its square. The least of three runs counts, so that what
/// runs beside it hardly does.
func growth(
    from count: Int,
    _ work: (_ count: Int) async throws -> () async throws -> Void
) async throws -> Double {
    func time(_ count: Int) async throws -> Double {
        var least = Double.infinity
        for _ in 0..<3 {
            let run = try await work(count)
            let start = clock()
            try await run()
            least = min(least, Double(clock() - start))
        }
        return least
    }
    let few = try await time(count)
    return try await time(8 * count) / max(1, few)
}
