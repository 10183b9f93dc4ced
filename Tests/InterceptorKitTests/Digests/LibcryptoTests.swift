import Expectations
import InterceptorKitTesting
import TestSupport
import Testing

@testable import InterceptorKit

@Suite("Libcrypto")
struct LibcryptoTests {
    // Forces the system's functions for each block, and this library's for all.
    private static let (always, never) = (0, Int.max)

    @Test("is nothing where no library has one of the names")
    func absence() {
        expectTrue(Libcrypto(names: []) == nil)
        expectTrue(Libcrypto(names: ["libnothing-of-this-name.so.3"]) == nil)
    }

    @Test("has no function where a library has no such symbols")
    func foreign() throws {
        #if canImport(Glibc)
        let library = try unwrap(Libcrypto(names: ["libm.so.6"]))

        let functions = unsafe [library.md5, library.sha1, library.sha256, library.sha512]
        let found = unsafe functions.count { unsafe $0 != nil }
        expectEqual(found, 0)
        #endif
    }

    @Test("hashes all lengths as this library does", arguments: HashAlgorithmTests.all)
    func lengths(algorithm: HashAlgorithm) {
        var random = SeededGenerator(seed: 0x11b)
        for length in Array(0...300) + [4_095, 65_536, 100_001] {
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }

            let own = digest(algorithm, Self.never, [message[...]])
            expectEqual(digest(algorithm, Self.always, [message[...]]), own)
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

            let own = digest(algorithm, Self.never, [message[...]])
            for minimum in [Self.always, Self.never, nil] {
                expectEqual(digest(algorithm, minimum, pieces), own)
            }
        }
    }

    @Test("authenticates as this library does", arguments: HashAlgorithmTests.all)
    func codes(algorithm: HashAlgorithm) {
        for length in [0, 20, 64, 65, 128, 129, 5_000] {
            let key = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var own = RunningHMAC(algorithm, key: key, systemMinimum: Self.never)
            var system = RunningHMAC(algorithm, key: key, systemMinimum: Self.always)
            own.update(key)
            system.update(key)

            let code = own.finalize()
            expectEqual(system.finalize(), code)
            expectEqual(algorithm.authenticationCode(of: key, key: key), code)
        }
    }

    @Test("lets copies continue independently", arguments: HashAlgorithmTests.all)
    func copies(algorithm: HashAlgorithm) {
        let (start, one, two) = (bytes(500, 1), bytes(900, 2), bytes(900, 3))
        var first = RunningHash(algorithm, systemMinimum: Self.always)
        first.update(start)
        var second = first
        second.update(two)
        first.update(one)

        expectEqual(first.finalize(), digest(algorithm, Self.never, [start[...], one[...]]))
        expectEqual(second.finalize(), digest(algorithm, Self.never, [start[...], two[...]]))
    }

    @Test("hashes alike in many tasks at once")
    func tasks() async {
        let message = bytes(50_000, 5)
        let own = digest(.sha256, Self.never, [message[...]])

        let digests = await withTaskGroup(of: HashAlgorithm.Digest.self) { group in
            for _ in 0..<50 { group.addTask { HashAlgorithm.sha256.hash(message) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }

        expectEqual(digests, [own])
    }

    @Test("leaves a state as it was when a function fails")
    func failure() {
        let refused = unsafe isUnchanged { _, _, _ in 0 }
        let spoiled = unsafe isUnchanged { context, _, _ in
            unsafe context.storeBytes(of: 0xff, as: UInt8.self)
            return 0
        }

        expectTrue(refused)
        expectTrue(spoiled)
    }

    @Test("refuses a function that does something else")
    func disagreement() {
        let sha256 = unsafe SHA256State.sha256.agrees(with: { _, _, _ in 1 })
        let md5 = unsafe MD5State.md5.agrees(with: { _, _, _ in 1 })

        expectTrue(!sha256)
        expectTrue(!md5)
    }

    /// Whether a function fails to take in blocks, and the words are what they were.
    private func isUnchanged(_ update: Libcrypto.Update) -> Bool {
        var state = SHA256State.sha256
        let isDone = unsafe bytes(128, 1).withUnsafeBytes { blocks in
            unsafe state.compress(blocks, by: update)
        }
        return !isDone && state.words == SHA256State.sha256.words
    }

    private func bytes(_ count: Int, _ factor: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* factor) }
    }

    private func digest(
        _ algorithm: HashAlgorithm,
        _ minimum: Int?,
        _ pieces: [ArraySlice<UInt8>]
    ) -> HashAlgorithm.Digest {
        var hash = RunningHash(algorithm, systemMinimum: minimum)
        for piece in pieces { hash.update(piece) }
        return hash.finalize()
    }
}
