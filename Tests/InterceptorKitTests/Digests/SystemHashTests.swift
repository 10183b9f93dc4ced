import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("SystemHash")
struct SystemHashTests {
    @Test("hashes all lengths as this library does", arguments: HashAlgorithmTests.all)
    func lengths(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x11b)
        for length in Array(0...300) + [4_095, 65_536, 100_001] {
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }

            let own = own(algorithm, message)
            expectEqual(system(algorithm, [message[...]]), own)
            expectEqual(algorithm.hash(message), own)
        }
    }

    @Test("continues a hash between any two pieces", arguments: HashAlgorithmTests.all)
    func pieces(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x5eed)
        for _ in 0..<100 {
            let length = Int.random(in: 0...3_000, using: &random)
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            var pieces: [ArraySlice<UInt8>] = []
            var rest = message[...]
            while !rest.isEmpty {
                pieces.append(rest.prefix(Int.random(in: 1...700, using: &random)))
                rest = rest.dropFirst(pieces.last?.count ?? 0)
            }
            var chosen = RunningHash(algorithm)
            for piece in pieces { chosen.update(piece) }

            let own = own(algorithm, message)
            expectEqual(system(algorithm, pieces), own)
            expectEqual(chosen.finalize(), own)
        }
    }

    @Test("authenticates as this library does", arguments: HashAlgorithmTests.all)
    func codes(algorithm: HashAlgorithm) {
        for length in [0, 20, 64, 65, 128, 129, 255, 256, 5_000] {
            let key = bytes(length, 7)
            var own = RunningHMAC(algorithm, key: key, isLong: false)
            var system = RunningHMAC(algorithm, key: key, isLong: true)
            own.update(key)
            system.update(key)

            let code = own.finalize()
            expectEqual(system.finalize(), code)
            expectEqual(algorithm.authenticationCode(of: key, key: key), code)
            expectEqual(SharedSecret(key).authenticationCode(of: key, using: algorithm), code)
        }
    }

    @Test("lets copies continue independently", arguments: HashAlgorithmTests.all)
    func copies(algorithm: HashAlgorithm) {
        let (start, one, two) = (bytes(500, 1), bytes(900, 2), bytes(900, 3))
        var first = RunningHash(algorithm)
        first.update(start)
        var second = first
        let third = first
        second.update(two)
        first.update(one)

        expectEqual(first.finalize(), own(algorithm, start + one))
        expectEqual(second.finalize(), own(algorithm, start + two))
        expectEqual(third.finalize(), own(algorithm, start))
        expectEqual(third.finalize(), own(algorithm, start))
    }

    @Test("hashes alike in many tasks at once, that copy one beginning")
    func tasks() async {
        let message = bytes(50_000, 5)
        var started = RunningHash(.sha256)
        started.update(message)

        let digests = await withTaskGroup(of: HashAlgorithm.Digest.self) { [started] group in
            for _ in 0..<50 {
                group.addTask {
                    var hash = started
                    hash.update(message)
                    return hash.finalize()
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        expectEqual(digests, [own(.sha256, message + message)])
    }

    #if !canImport(CryptoKit)
    @Test("is nothing where no library has one of the names, or its functions")
    func absence() {
        expectTrue(Libcrypto(names: []) == nil)
        expectTrue(Libcrypto(names: ["libnothing-of-this-name.so.3", "libm.so.6"]) == nil)
        expectTrue(SystemHash(.sha256, nil) == nil)
    }

    @Test("has every algorithm of this library, where there is a libcrypto")
    func algorithms() {
        guard let library = Libcrypto.shared else { return }

        for algorithm in HashAlgorithmTests.all {
            expectTrue(SystemHash(algorithm, library) != nil, "\(algorithm)")
        }
    }

    @Test("makes digests that equal none, once a function has failed")
    func failure() throws {
        guard var broken = Libcrypto.shared else { return }
        unsafe broken.update = { _, _, _ in 0 }
        var hash = try unwrap(SystemHash(.sha256, broken))
        unsafe bytes(64, 1).withUnsafeBytes { unsafe hash.update($0) }

        let digests = (0..<2).map { _ in
            var copy = hash
            return unsafe HashAlgorithm.Digest(count: 32) { unsafe copy.finalize(into: $0) }
        }

        expectTrue(digests[0] != digests[1])
        expectTrue(!digests.contains(HashAlgorithm.sha256.hash(bytes(64, 1))))
    }
    #endif

    private func bytes(_ count: Int, _ factor: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* factor) }
    }

    /// By this library, since what begins with few bytes is not left to the system.
    private func own(_ algorithm: HashAlgorithm, _ message: [UInt8]) -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm)
        hash.update(message.prefix(1))
        hash.update(message.dropFirst())
        return hash.finalize()
    }

    private func system(
        _ algorithm: HashAlgorithm,
        _ pieces: [ArraySlice<UInt8>]
    ) -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm)
        hash.useSystemHash()
        for piece in pieces { hash.update(piece) }
        return hash.finalize()
    }
}
