/// The rules for the shown parts of requests and responses, used by every sink.
///
/// Header values are shown by allow-list: for an unlisted field, only the name is shown. Elsewhere, secrets are found
/// by their names: in URLs, forms, JSON, XML and sentences, the value of a hidden name is hidden. So are user
/// information in URLs, the credentials after the name of an authentication scheme, and JSON Web Tokens (RFC 7519),
/// even if one of these is inside another. A secret without a name, such as one in a URL's path, or with a harmless
/// name is not found.
///
/// **One list of names applies everywhere**, in any spelling: `access_token` is `accessToken`, `ACCESS-TOKEN`,
/// `user[access_token][]` and `access%5Ftoken`. A hidden name hides every name that contains it as whole words, such as
/// `user_pin`; one of three or more letters also hides names that end with it, such as `userpwd`; one of five or more
/// hides names that contain it anywhere. In bodies and sentences, `code`, `key`, `sign` and `ticket` have other
/// meanings too: there, only values of at least nine bytes that are neither a number nor words are hidden. In URLs and
/// forms, every value is.
public struct Redaction: Sendable {
    /// The text in place of a hidden value.
    public static let placeholder = "██"

    /// Header fields whose values may be shown, in lower case.
    public var shownFields: Set<String>

    /// Header fields whose values are URLs and are shown through ``url(_:)``, in lower case.
    public var urlFields: Set<String>

    /// Names whose values are hidden, in any place and spelling.
    public var hiddenNames: Set<String> {
        didSet { names = SecretNames(hidden: hiddenNames, shown: shownNames) }
    }

    /// Names whose values are shown although they contain a hidden name, in any spelling; only whole names match.
    public var shownNames: Set<String> {
        didSet { names = SecretNames(hidden: hiddenNames, shown: shownNames) }
    }

    private(set) var names: SecretNames

    /// Creates a redaction.
    /// - Parameters:
    ///   - shownFields: Header fields whose values may be shown, in lower case.
    ///   - urlFields: Header fields whose values are URLs, in lower case. Defaults to those of ``standard``.
    ///   - hiddenNames: Names whose values are hidden. Defaults to those of ``standard``.
    ///   - shownNames: Names whose values are shown although they contain a hidden name. Defaults to those of
    ///     ``standard``.
    public init(
        shownFields: Set<String>,
        urlFields: Set<String> = Redaction.standardURLFields,
        hiddenNames: Set<String> = Redaction.standardHiddenNames,
        shownNames: Set<String> = Redaction.standardShownNames
    ) {
        self.shownFields = shownFields
        self.urlFields = urlFields
        self.hiddenNames = hiddenNames
        self.shownNames = shownNames
        names = SecretNames(hidden: hiddenNames, shown: shownNames)
    }

    /// Returns a URL, or invalid text in its place, with its secrets hidden.
    public func url(_ text: String) -> String {
        if URLHiding.showsAll(of: text) { return text }
        return String(decoding: URLHiding(Array(text.utf8), self).run(), as: UTF8.self)
    }

    /// Returns free text, such as an error's description, with anything that looks like a secret hidden.
    ///
    /// It hides what ``url(_:)`` hides in URLs within the text; the values of ``hiddenNames`` in JSON, in XML, and
    /// after `=` or `:`; the credentials after the name of an authentication scheme; and JSON Web Tokens (RFC 7519).
    public func text(_ text: String) -> String {
        if TextHiding.showsAll(of: text) { return text }
        return String(decoding: self.text(Array(text.utf8), depth: 0), as: UTF8.self)
    }

    /// The nesting depth up to which texts are inspected; deeper text that may contain secrets is hidden completely.
    static let depthLimit = 8

    func text(_ bytes: [UInt8], depth: Int) -> [UInt8] {
        guard depth < Self.depthLimit else {
            return Self.mayHaveSecrets(bytes) ? Array(Redaction.placeholder.utf8) : bytes
        }
        var hiding = TextHiding(bytes, self, depth: depth)
        return hiding.run()
    }

    /// Whether the value of a parameter or member with this name is always hidden.
    public func hides(_ name: String) -> Bool { names.isHidden(name) }

    /// Returns the name of a value's type without generic arguments: for an error that may quote a secret, show only
    /// this.
    public static func typeName(of value: Any) -> String {
        let full = String(describing: type(of: value))
        return String(full.beginning(before: "<"))
    }

    // A name has a sign after it, a scheme a blank, and a JSON Web Token begins with an object.
    static func mayHaveSecrets(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.contains { "=: @\"<\n".utf8.contains($0) } || isWebToken(bytes)
            || PercentEncoding.hasEscape(bytes)
    }

    // RFC 7519: parts in base64url, the first of which is a JSON object.
    static func isWebToken(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: "eyJ".utf8) && bytes.contains(UInt8(ascii: "."))
    }
}
