/// Decides what may be shown of a request or response. The one place that does, for every sink.
///
/// Header values are shown by allow-list: a field that is not listed shows its name only. Elsewhere
/// secrets are found by their names: in URLs, forms, JSON, XML and sentences the value of a hidden name is
/// hidden, and so are user information in URLs, what follows the name of an authentication scheme, and
/// JSON Web Tokens (RFC 7519), also where one of these stands inside another. A secret that has no name,
/// as in a URL's path, or a harmless one, is not found.
///
/// **One list of names counts everywhere**, and how a name is spelled does not: `access_token` is
/// `accessToken`, `ACCESS-TOKEN`, `user[access_token][]` and `access%5Ftoken`. A hidden name hides every
/// name that has it as whole words, as `user_pin`; one of three letters and more also where the name ends
/// with it, as `userpwd`; one of five and more wherever it stands. `code`, `key`, `sign` and `ticket`,
/// which bodies and sentences use for other things than secrets too, hide there what is neither a number
/// nor words nor shorter than nine bytes; in URLs and forms, everything.
public struct Redaction: Sendable {
    /// What stands where a value was hidden.
    public static let placeholder = "██"

    /// Header fields whose values may be shown, in lower case.
    public var shownFields: Set<String>

    /// Header fields whose values are URLs and shown as ``url(_:)`` shows them, in lower case.
    public var urlFields: Set<String>

    /// Names whose values are hidden, in any place and spelling.
    public var hiddenNames: Set<String> {
        didSet { names = SecretNames(hidden: hiddenNames, shown: shownNames) }
    }

    /// Names whose values are shown although a hidden name is found in them, in any spelling; they count
    /// as wholes.
    public var shownNames: Set<String> {
        didSet { names = SecretNames(hidden: hiddenNames, shown: shownNames) }
    }

    private(set) var names: SecretNames

    /// Creates a rule.
    /// - Parameters:
    ///   - shownFields: Header fields whose values may be shown, in lower case.
    ///   - urlFields: Header fields whose values are URLs, in lower case. Defaults to those of
    ///     ``standard``.
    ///   - hiddenNames: Names whose values are hidden. Defaults to those of ``standard``.
    ///   - shownNames: Names whose values are shown although a hidden name is found in them. Defaults
    ///     to those of ``standard``.
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

    /// A URL, or text that should have been one, with its secrets hidden.
    public func url(_ text: String) -> String {
        String(decoding: URLHiding(Array(text.utf8), self).run(), as: UTF8.self)
    }

    /// Free text, as an error's description, with what looks like a secret hidden.
    ///
    /// Hidden are, in URLs within the text, what ``url(_:)`` hides; the values of ``hiddenNames`` in
    /// JSON, in XML, and after `=` or `:`; what follows the name of an authentication scheme; and JSON
    /// Web Tokens (RFC 7519).
    public func text(_ text: String) -> String {
        String(decoding: self.text(Array(text.utf8), depth: 0), as: UTF8.self)
    }

    /// How deep a text stands in texts at most to be looked into; what is deeper and may have secrets
    /// is hidden whole.
    static let depthLimit = 8

    func text(_ bytes: [UInt8], depth: Int) -> [UInt8] {
        guard depth < Self.depthLimit else {
            return Self.mayHaveSecrets(bytes) ? Array(Redaction.placeholder.utf8) : bytes
        }
        var hiding = TextHiding(bytes, self, depth: depth)
        return hiding.run()
    }

    /// Whether the value of a parameter or member with a name is hidden wherever it stands.
    public func hides(_ name: String) -> Bool { names.isHidden(name) }

    /// The name of a value's type without generic arguments: all that may be shown of an error that may
    /// quote what is secret.
    public static func typeName(of value: Any) -> String {
        let full = String(describing: type(of: value))
        return String(full.prefix { $0 != "<" })
    }

    // A name needs a sign after it, a scheme a blank, and a JSON Web Token begins with an object.
    static func mayHaveSecrets(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.contains { "=: @\"<%\n".utf8.contains($0) } || isWebToken(bytes)
    }

    // RFC 7519: parts in base64url, of which the first is a JSON object's.
    static func isWebToken(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: "eyJ".utf8) && bytes.contains(UInt8(ascii: "."))
    }
}
