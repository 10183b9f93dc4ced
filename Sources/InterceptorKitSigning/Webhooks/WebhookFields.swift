import InterceptorKit

/// The names of the three fields of a webhook, such as `webhook-id`, or `svix-id` of a service with a prefix of its own.
struct WebhookFields: Sendable {
    let id: String
    let timestamp: String
    let signature: String
    private let prefix: String

    init(prefix: String) {
        self.prefix = prefix
        id = "\(prefix)-id"
        timestamp = "\(prefix)-timestamp"
        signature = "\(prefix)-signature"
    }

    /// Throws if the names cannot be those of fields.
    func validate(of settings: String) throws(SettingError) {
        try SettingCheck(of: settings).require(
            HTTP.FieldSyntax.isToken(prefix) && prefix.utf8.last != UInt8(ascii: "-"),
            "fieldPrefix",
            HTTP.printable(prefix),
            "a token, such as svix, without the hyphen that follows it"
        )
    }
}
