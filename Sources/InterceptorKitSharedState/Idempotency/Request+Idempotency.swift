import InterceptorKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Headers {
    /// The key of a received request, from a string of structured fields (section 2.1 of the draft) or without quotes,
    /// as many clients write it; `nil` without the field.
    func receivedIdempotencyKey(
        in field: String
    ) throws(IdempotencyProblem) -> String? {
        let values = values(field)
        guard let value = values.first else { return nil }
        let quoted = (try? structuredItem(field))?.value.string
        let key = quoted ?? HTTP.FieldSyntax.trimmed(value)
        guard values.count == 1, 1...255 ~= key.utf8.count,
            quoted != nil || key.utf8.allSatisfy(isBare)
        else { throw .malformedKey }
        return key
    }
}

/// Printable, and not the beginning of a list, a parameter or a quoted string.
private func isBare(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte
        && ![UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";")].contains(byte)
}

extension HTTP.Request {
    /// Returns the request with its content in memory.
    nonisolated(nonsending) func collected(upTo limit: Int) async throws -> HTTP.Request {
        do {
            var request = self
            let content = try await body.collect(upTo: limit)
            if body.inMemory == nil { request.body = .bytes(content) }
            return request
        } catch HTTP.ContentError.Code.tooLarge {
            throw IdempotencyProblem.requestTooLarge(limit: limit)
        }
    }

    /// The digest of the request's method, target and content, each part after its length, so no two are alike.
    var idempotencyFingerprint: Data {
        var hash = RunningHash(.sha256)
        func add(_ bytes: some Collection<UInt8>) {
            hash.update("\(bytes.count):".utf8)
            hash.update(bytes)
        }
        add(method.rawValue.utf8)
        add(url.path.utf8)
        add((url.query ?? "").utf8)
        add(headers.values("Content-Type").joined(separator: ",").utf8)
        add(headers.values("Content-Encoding").joined(separator: ",").utf8)
        add(body.inMemory ?? Data())
        return Data(hash.finalize())
    }
}
