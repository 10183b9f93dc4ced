import ConformanceVectors
import Expectations
import Foundation
import InterceptorKit
import TestRun
import TestSupport
import Testing

@Suite("Hashes and HMACs against published vectors")
struct CryptoConformanceTests {
    @Test(
        "agree with NIST and Wycheproof",
        .tags(.vectors),
        .vectors("crypto/nist", "crypto/wycheproof")
    )
    func conformance() async throws {
        let result = try await besideOtherTests {
            var result = Conformance("crypto")
            try hashes(into: &result)
            try monteCarlo(into: &result)
            try authenticationCodes(into: &result)
            try wycheproof(into: &result)
            return result
        }

        expectEqual(result.failures, [])
        expectTrue(result.passed > 2900)
        print(result.summary)
    }

    @Test("agree with the RFCs and FIPS 180", .tags(.vectors), .vectors("crypto/rfc"))
    func documents() throws {
        var result = Conformance("crypto-rfc")

        try standards(into: &result)

        expectEqual(result.failures, [])
        expectEqual(result.passed, 54)
        print(result.summary)
    }
}

private func hashes(into result: inout Conformance) throws {
    let files: [(String, HashAlgorithm)] = [
        ("SHA1ShortMsg", .sha1), ("SHA1LongMsg", .sha1),
        ("SHA256ShortMsg", .sha256), ("SHA256LongMsg", .sha256),
        ("SHA384ShortMsg", .sha384),
        ("SHA512ShortMsg", .sha512), ("SHA512LongMsg", .sha512),
    ]
    for (file, algorithm) in files {
        for row in try ResponseFile(file).rows where row["MD"] != nil {
            let message = row.bytes("Msg").prefix((row["Len"].flatMap { Int($0) } ?? 0) / 8)
            result.note(
                Array(algorithm.hash(message)) == row.bytes("MD"),
                "\(file), \(row["Len"] ?? "") bits"
            )
        }
    }
}

/// Each checkpoint is the last of a thousand hashes, each of the three before it (SHAVS section 6.4).
private func monteCarlo(into result: inout Conformance) throws {
    let files: [(String, HashAlgorithm)] = [
        ("SHA1Monte", .sha1), ("SHA256Monte", .sha256), ("SHA384Monte", .sha384),
        ("SHA512Monte", .sha512),
    ]
    for (file, algorithm) in files {
        let rows = try ResponseFile(file).rows
        var seed = rows.first { $0["Seed"] != nil }?.bytes("Seed") ?? []
        for row in rows where row["MD"] != nil {
            var last = [seed, seed, seed]
            for _ in 0..<1000 {
                var hash = RunningHash(algorithm)
                for bytes in last { hash.update(bytes) }
                let digest = hash.finalize()
                // Faster than Array(digest) without optimisation, and there are 400,000 of them.
                let copy = unsafe digest.withContiguousStorageIfAvailable { unsafe Array($0) }
                last = [last[1], last[2], copy ?? []]
            }
            seed = last[2]
            result.note(seed == row.bytes("MD"), "\(file), checkpoint \(row["COUNT"] ?? "")")
        }
    }
}

private func authenticationCodes(into result: inout Conformance) throws {
    let algorithms: [String: HashAlgorithm] = [
        "20": .sha1, "32": .sha256, "48": .sha384, "64": .sha512,
    ]
    for row in try ResponseFile("HMAC").rows where row["Mac"] != nil {
        guard let algorithm = row["L"].flatMap({ algorithms[$0] }) else {
            result.skip()
            continue
        }
        let code = algorithm.authenticationCode(of: row.bytes("Msg"), key: row.bytes("Key"))
        let mac = row.bytes("Mac")
        result.note(
            !mac.isEmpty && Array(code.prefix(mac.count)) == mac,
            "HMAC with \(algorithm), count \(row["Count"] ?? "")"
        )
    }
}

private func standards(into result: inout Conformance) throws {
    let algorithms: [String: HashAlgorithm] = [
        "md5": .md5, "sha1": .sha1, "sha256": .sha256, "sha384": .sha384, "sha512": .sha512,
    ]
    let fips: Cases<StandardHash> = try decoded("rfc/fips180_examples.json")
    for row in fips.cases {
        let message = repeatElement(Array(row.input.utf8), count: row.repeat ?? 1).joined()
        for (name, digest) in row.digests ?? [:] {
            guard let algorithm = algorithms[name] else {
                result.skip()
                continue
            }
            let isRight = algorithm.hash(Array(message)).hexadecimal == digest
            result.note(isRight, "FIPS 180, \(name) of \(row.input.prefix(20))")
        }
    }
    let md5: Cases<StandardHash> = try decoded("rfc/rfc1321_md5.json")
    for row in md5.cases {
        let isRight = HashAlgorithm.md5.hash(row.input.utf8).hexadecimal == row.md5
        result.note(isRight, "RFC 1321, \(row.input.prefix(20))")
    }
    let old: Cases<StandardCode<String>> = try decoded("rfc/rfc2202_hmac_md5_sha1.json")
    for row in old.cases {
        let algorithm = row.algorithm == "hmac-md5" ? HashAlgorithm.md5 : .sha1
        result.note(row.code(with: algorithm) == row.mac, "RFC 2202, \(algorithm) \(row.tc)")
    }
    let new: Cases<StandardCode<[String: String]>> = try decoded("rfc/rfc4231_hmac_sha2.json")
    for row in new.cases {
        for (name, mac) in row.mac {
            guard let algorithm = algorithms[name] else {
                result.skip()
                continue
            }
            // One of the cases shows codes cut to 128 bits.
            let code = row.code(with: algorithm)?.prefix(mac.count)
            result.note(code == mac[...] && mac.count >= 32, "RFC 4231, \(name) \(row.tc)")
        }
    }
}

private func wycheproof(into result: inout Conformance) throws {
    let files: [(String, HashAlgorithm)] = [
        ("hmac_sha1_test", .sha1), ("hmac_sha256_test", .sha256), ("hmac_sha384_test", .sha384),
        ("hmac_sha512_test", .sha512),
    ]
    for (file, algorithm) in files {
        let groups: Groups = try decoded("wycheproof/\(file).json")
        for group in groups.testGroups {
            for row in group.tests {
                let key = bytes(hexadecimal: row.key) ?? []
                let message = bytes(hexadecimal: row.msg) ?? []
                let code = algorithm.authenticationCode(of: message, key: key)
                let tag = bytes(hexadecimal: row.tag) ?? []
                let agrees = code.prefix(group.tagSize / 8).elementsEqual(tag)
                result.note(agrees == (row.result == "valid"), "\(file) \(row.tcId)")
            }
        }
    }
}

private func decoded<Value: Decodable>(_ path: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try Vectors.data("crypto/\(path)"))
}

private struct Cases<Row: Decodable>: Decodable { let cases: [Row] }

private struct StandardHash: Decodable {
    let input: String
    let `repeat`: Int?
    let digests: [String: String]?
    let md5: String?
}

private struct StandardCode<Codes: Decodable>: Decodable {
    let algorithm: String?
    let tc: Int
    let key_hex: String
    let data_hex: String
    let mac: Codes

    func code(with algorithm: HashAlgorithm) -> String? {
        guard let key = bytes(hexadecimal: key_hex), let data = bytes(hexadecimal: data_hex) else {
            return nil
        }
        return algorithm.authenticationCode(of: data, key: key).hexadecimal
    }
}

private struct Groups: Decodable {
    struct Group: Decodable {
        let tagSize: Int
        let tests: [Row]
    }
    struct Row: Decodable {
        let tcId: Int
        let key: String
        let msg: String
        let tag: String
        let result: String
    }
    let testGroups: [Group]
}

/// A file of NIST's in blocks of `Name = value`, under heads like `[L = 20]` that hold from there on.
private struct ResponseFile {
    struct Row {
        var values: [String: String] = [:]

        subscript(name: String) -> String? { values[name] }

        func bytes(_ name: String) -> [UInt8] {
            values[name].flatMap { ConformanceVectors.bytes(hexadecimal: $0) } ?? []
        }
    }

    private(set) var rows: [Row] = []

    init(_ name: String) throws {
        let text = Array(try Vectors.data("crypto/nist/\(name).rsp"))
        var heads: [String: String] = [:]
        var row = Row()
        for line in text.split(separator: 0x0a, omittingEmptySubsequences: false) {
            let line = String(decoding: line.filter { !"\r []".utf8.contains($0) }, as: UTF8.self)
            let sides = line.split(separator: "=").map(String.init)
            if line.isEmpty {
                if !row.values.isEmpty { rows.append(row) }
                row = Row(values: heads)
            } else if sides.count == 2, sides[0] == "L" {
                heads["L"] = sides[1]
            } else if sides.count == 2, !line.hasPrefix("#") {
                row.values[sides[0]] = sides[1]
            }
        }
        rows.append(row)
    }
}
