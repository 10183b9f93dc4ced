public import InterceptorKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Request {
    /// Returns the request with parameters as a form in a charset, which its `Content-Type` names:
    /// `application/x-www-form-urlencoded; charset=windows-1252`.
    ///
    /// Without a charset, a form is UTF-8, and its type has no parameter (WHATWG URL section 5.2). Some older servers
    /// need another charset or `charset=utf-8`.
    /// - Parameters:
    ///   - parameters: Names and values, in the order in which they are sent.
    ///   - charset: UTF-8, or one that contains ASCII: ISO-8859-1 and 2, windows-1250 to 1254, Shift_JIS, Mac OS Roman
    ///     or ASCII. Those that are neither UTF-8, ASCII nor ISO-8859-1 need a program that links Foundation.
    /// - Throws: `HTTP.ContentError` with the code `cannotEncode` for another charset, or for a parameter with a
    ///   character that the charset doesn't have.
    public func form(
        _ parameters: HTTP.Parameters,
        charset: String.Encoding
    ) throws -> Self {
        guard let name = charset.formName else {
            throw HTTP.ContentError(
                .cannotEncode,
                "The charset \(charset) is none that a form can be sent in. Use UTF-8."
            )
        }
        let text = try parameters.text { text in
            guard let bytes = text.data(using: charset) else {
                throw HTTP.ContentError(
                    .cannotEncode,
                    "A parameter of the form has a character that \(name) does not have, or the program does not link "
                        + "Foundation, which has this charset. The parameters are \(HTTP.printable("\(parameters)")). "
                        + "Use UTF-8."
                )
            }
            return PercentEncoding.encode(bytes: bytes)
        }
        var request = self
        request.body = .bytes(text.utf8)
        request.headers.setIfAbsent(
            name: "Content-Type",
            value: "application/x-www-form-urlencoded; charset=\(name)"
        )
        return request
    }
}

extension String.Encoding {
    /// The name in the WHATWG Encoding Standard or IANA's registry, if the charset contains ASCII; else `nil`, because
    /// `=` and `&` could not be told from other bytes.
    fileprivate var formName: String? {
        switch self {
        case .utf8: "utf-8"
        case .ascii: "us-ascii"
        case .isoLatin1: "iso-8859-1"
        case .isoLatin2: "iso-8859-2"
        case .windowsCP1250: "windows-1250"
        case .windowsCP1251: "windows-1251"
        case .windowsCP1252: "windows-1252"
        case .windowsCP1253: "windows-1253"
        case .windowsCP1254: "windows-1254"
        case .shiftJIS: "shift_jis"
        case .macOSRoman: "macintosh"
        default: nil
        }
    }
}
