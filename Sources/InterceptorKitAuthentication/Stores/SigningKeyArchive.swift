import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of signing keys. The first key is the default.
struct SigningKeyArchive: Codable {
    private struct Entry: Codable {
        var id: String
        var secret: Data
        var token: String?

        var key: SigningKey {
            var key = SigningKey(id: id, secret: secret)
            key.token = token
            return key
        }

        /// The entry's parts, each with its length, so that different entries have different bytes.
        var bytes: [UInt8] {
            [Array(id.utf8), Array(secret), token.map { [1] + Array($0.utf8) } ?? []]
                .flatMap { Array("\($0.count):".utf8) + $0 }
        }
    }

    private var format = 1
    private var keys: [Entry] = []
    /// The checksum of all keys. A file written by hand may leave it out.
    private var sha256: String?

    init() {}

    /// Parses stored keys; `nil` if the data is not a list of signing keys, or has a newer format.
    init?(_ data: Data) {
        guard let archive = try? JSONDecoder().decode(Self.self, from: data), archive.format == 1,
            archive.keys.allSatisfy({ (try? $0.key.validate()) != nil }),
            archive.sha256 == nil || archive.sha256 == archive.checksum
        else { return nil }
        self = archive
    }

    var data: Data {
        get throws {
            var archive = self
            archive.sha256 = checksum
            return try JSONEncoder().encode(archive)
        }
    }

    private var checksum: String {
        HashAlgorithm.sha256.hash(keys.flatMap(\.bytes)).hexadecimal
    }

    func key(id: String?) -> SigningKey? {
        guard let id else { return keys.first?.key }
        return keys.first { $0.id == id }?.key
    }

    /// Inserts a key at the front, replacing one with the same id.
    mutating func save(_ key: SigningKey) throws {
        try key.validate()
        guard let secret = try? key.withSecret({ Data($0) }) else {
            throw CredentialStoreError(
                .cannotWrite,
                "The key \(HTTP.printable(key.id)) is a private key, whose bytes its signer does not "
                    + "give away. Keep it where the signer does, and not in this store."
            )
        }
        remove(id: key.id)
        keys.insert(Entry(id: key.id, secret: secret, token: key.token), at: 0)
    }

    mutating func remove(id: String) { keys.removeAll { $0.id == id } }
}
