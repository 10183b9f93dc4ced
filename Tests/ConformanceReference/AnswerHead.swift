import Foundation
import InterceptorKit

/// What is wrong with a response.
struct AnswerError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A response's status and fields, read from a connection.
struct AnswerHead {
    var status: HTTP.Status
    var headers: HTTP.Headers = [:]
    private var isVersion11: Bool

    private static let maximumLines = 1_000

    init(from wire: Wire, _ flaws: Set<Flaw>) async throws {
        guard let first = try await wire.line() else { throw Wire.Failure.broken }
        (isVersion11, status) = try Self.status(first, flaws)
        for _ in 0..<Self.maximumLines {
            guard let line = try await wire.line() else {
                if flaws.contains(.takesAnyEndForTheHeadsEnd) { return }
                throw Wire.Failure.broken
            }
            if line.isEmpty { return }
            try append(line, flaws)
        }
        throw AnswerError("The head has more than \(Self.maximumLines) lines.")
    }

    var keepsAlive: Bool {
        isVersion11 && headers["Connection"]?.lowercased() != "close"
    }

    private static func status(
        _ line: [UInt8],
        _ flaws: Set<Flaw>
    ) throws -> (Bool, HTTP.Status) {
        let text = String(decoding: line, as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        if flaws.contains(.takesAnyStatusLine) {
            return (true, HTTP.Status(words.count > 1 ? Int(words[1]) ?? 200 : 200))
        }
        guard words.count > 1, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0",
            words[1].count == 3, let code = Int(words[1]), code >= 100
        else { throw AnswerError("The status line is malformed.") }
        if flaws.contains(.refusesHTTP10), words[0] == "HTTP/1.0" {
            throw AnswerError("The version is too low.")
        }
        if flaws.contains(.wantsReason), words.count < 3 || words[2].isEmpty {
            throw AnswerError("There is no reason.")
        }
        return (words[0] == "HTTP/1.1", HTTP.Status(code))
    }

    private mutating func append(_ line: [UInt8], _ flaws: Set<Flaw>) throws {
        let text = HTTP.FieldSyntax.text(of: line)
        if flaws.contains(.wantsUTF8), String(validating: line, as: UTF8.self) == nil {
            throw AnswerError("A field is not in UTF-8.")
        }
        guard let colon = text.firstIndex(of: ":") else {
            if flaws.contains(.takesAnyField) { return }
            throw AnswerError("A field has no colon.")
        }
        let value = text[text.index(after: colon)...]
        if flaws.contains(.wantsBlankAfterColon), value.first != " ", !value.isEmpty {
            throw AnswerError("A field has no blank.")
        }
        headers.append(name: String(text[..<colon]), value: String(value))
        if headers.problem != nil {
            if flaws.contains(.takesAnyField) {
                headers = HTTP.Headers(headers.map { ($0.name, $0.value) })
            } else {
                throw AnswerError("A field is malformed.")
            }
        }
    }
}

extension AnswerHead {
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunks
        case close

        var length: Int? {
            switch self {
            case .none: 0
            case .length(let length): length
            case .chunks, .close: nil
            }
        }
    }

    func framing(for method: HTTP.Method, _ flaws: Set<Flaw>) throws -> Framing {
        let isBodiless = method == .head || status.code < 200 || [204, 304].contains(status.code)
        if isBodiless, !flaws.contains(.expectsBodyAlways) { return .none }
        if headers["Transfer-Encoding"]?.lowercased() == "chunked" { return .chunks }
        let lengths = Set(headers.values("Content-Length"))
        guard let text = lengths.first else {
            return flaws.contains(.ignoresCloseDelimitedBodies) ? .none : .close
        }
        guard lengths.count == 1, text.utf8.allSatisfy({ 48...57 ~= $0 }), let length = Int(text)
        else {
            if flaws.contains(.takesAnyLength) { return .close }
            throw AnswerError("The length is not one number.")
        }
        return flaws.contains(.readsPastBody) ? .length(length * 2) : .length(length)
    }
}
