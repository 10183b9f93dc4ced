#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTP.Multipart {
    /// Returns the body, with a boundary, and its media type.
    /// - Parameter runtime: The source of the boundary's randomness. Defaults to the live runtime.
    /// - Throws: ``HTTP/ContentError`` for a missing file, or a name, field or boundary that cannot be sent.
    public func content(on runtime: Runtime = .live) throws -> HTTP.Content {
        let boundary =
            try boundary.map(checked)
            // With 128 random bits, no part has to be searched for the boundary.
            ?? "InterceptorKit-" + runtime.randomBytes(16).hexadecimal
        var chunks: [MultipartChunk] = []
        for part in parts {
            let head = try part.head(after: boundary, in: subtype)
            if let bytes = part.body.inMemory {
                chunks.append(.bytes(head + bytes + Data("\r\n".utf8)))
            } else {
                if let file = part.body.file, file.length == nil {
                    throw HTTP.ContentError.unreadableFile(
                        file.path,
                        "its length cannot be determined"
                    )
                }
                chunks.append(.bytes(head))
                chunks.append(.part(part.name, part.body, length: part.body.length))
                chunks.append(.bytes(Data("\r\n".utf8)))
            }
        }
        chunks.append(.bytes(Data("--\(boundary)--\r\n".utf8)))
        return HTTP.Content(
            body(of: chunks),
            mediaType: "multipart/\(subtype.rawValue); boundary=\(boundary)\(rootType)"
        )
    }

    // RFC 2387 section 3.1 requires the type of the first part; without a field, that is text (RFC 2046 section 5.1).
    private var rootType: String {
        guard subtype == .related, let first = parts.first else { return "" }
        let type = HTTP.essence(of: first.headers["Content-Type"] ?? "text/plain")
        return HTTP.isMediaTypePattern(type) ? "; type=\"\(type)\"" : ""
    }

    private func body(of chunks: [MultipartChunk]) -> HTTP.Body {
        let stream = MultipartChunks(chunks: chunks)
        if let bytes = stream.inMemory { return HTTP.Body(.bytes(bytes)) }
        guard parts.allSatisfy(\.body.isReplayable) else {
            return .oneShot(length: stream.length, stream)
        }
        return .replayable(length: stream.length) { stream }
    }

    private func checked(_ boundary: String) throws -> String {
        guard HTTP.FieldSyntax.isToken(boundary), boundary.utf8.count <= 70 else {
            throw HTTP.ContentError(
                .invalidBoundary,
                "\(HTTP.printable(boundary)) cannot be a boundary. Give a token of at most 70 characters "
                    + "(RFC 2046 section 5.1.1), or none for a random one."
            )
        }
        guard let part = parts.first(where: { $0.contains(boundary) }) else { return boundary }
        throw HTTP.ContentError(
            .invalidBoundary,
            "\(part.label) contains the boundary and would end there. Give "
                + "another, or none for a random one."
        )
    }
}

extension HTTP.Multipart.Part {
    fileprivate var label: String {
        name.isEmpty ? "A part without a name" : "The part \(HTTP.printable(name)) of a form"
    }

    fileprivate func contains(_ boundary: String) -> Bool {
        guard var rest = body.inMemory else { return false }
        let delimiter = Array("--\(boundary)".utf8)
        while let start = rest.firstIndex(of: delimiter[0]) {
            rest = rest[start...]
            if rest.starts(with: delimiter) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    fileprivate func head(after boundary: String, in subtype: HTTP.Multipart.Subtype) throws -> Data
    {
        try check(in: subtype)
        var head = "--\(boundary)\r\n"
        if subtype == .formData || filename != nil {
            head += "Content-Disposition: "
            head +=
                subtype == .formData
                ? "form-data; name=\"\(Self.escaped(Self.withFullBreaks(name)))\"" : "attachment"
            if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
            head += "\r\n"
        }
        for field in headers { head += "\(field.name): \(field.value)\r\n" }
        return Data((head + "\r\n").utf8)
    }

    private func check(in subtype: HTTP.Multipart.Subtype) throws {
        if let problem = headers.problem { throw refusal("\(problem)", cause: problem) }
        if subtype == .formData, name.isEmpty {
            throw refusal(
                "The fields of a form have names (RFC 7578 section 4.2); give it one, or the parts another subtype."
            )
        }
        if subtype != .formData, !name.isEmpty {
            throw refusal(
                "Only the fields of a form have names; make the part of multipart/\(subtype.rawValue) without one."
            )
        }
        if subtype == .formData || filename != nil, headers.contains("Content-Disposition") {
            throw refusal(
                "Its Content-Disposition is made of its name and filename; remove the field."
            )
        }
        let named = name + (filename ?? "")
        guard named.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || "\t\n\r".utf8.contains($0) })
        else {
            throw refusal("Its name or filename has control characters; remove them.")
        }
    }

    private func refusal(_ reason: String, cause: (any Error)? = nil) -> HTTP.ContentError {
        HTTP.ContentError(
            .invalidPart,
            "\(label) cannot be sent. \(reason)",
            cause: cause
        )
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    // Browsers complete the line breaks of names, but not those of file names.
    private static func withFullBreaks(_ text: String) -> String {
        var full = ""
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\n" && last != "\r" { full += "\r" }
            if last == "\r" && scalar != "\n" { full += "\n" }
            full.unicodeScalars.append(scalar)
            last = scalar
        }
        return last == "\r" ? full + "\n" : full
    }
}
