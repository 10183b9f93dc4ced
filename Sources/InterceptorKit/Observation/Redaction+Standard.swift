extension Redaction {
    /// The rule used unless another is given.
    ///
    /// Hidden parameters are the seven of the OpenTelemetry HTTP conventions 1.44 and the usual names
    /// of tokens, codes, keys and signatures.
    public static let standard = Redaction(
        shownFields: [
            "accept", "accept-encoding", "accept-language", "age", "allow", "cache-control",
            "connection", "content-encoding", "content-language", "content-length", "content-range",
            "content-type", "date", "etag", "expires", "host", "if-modified-since", "if-none-match",
            "last-modified", "range", "retry-after", "server", "transfer-encoding", "user-agent",
            "vary", "via",
        ],
        hiddenParameters: [
            "x-amz-signature", "x-amz-credential", "x-amz-security-token", "awsaccesskeyid",
            "signature", "sig", "x-goog-signature", "x-goog-credential", "access_token",
            "refresh_token", "id_token", "token", "code", "code_verifier", "client_secret",
            "client_assertion", "assertion", "secret", "password", "passwd", "api_key", "apikey",
            "key", "sign", "auth", "api-key", "x-api-key", "api_token", "app_key", "appkey",
            "access_key", "accesskey", "subscription-key",
        ]
    )

    /// The URL fields of the ``standard`` rule (RFC 9110 sections 8.7, 10.1.3 and 10.2.2).
    public static let standardURLFields: Set<String> = [
        "content-location", "location", "referer",
    ]

    /// The hidden members of the ``standard`` rule: what OAuth 2.0 and OpenID Connect exchange (RFC
    /// 6749, RFC 7523, RFC 7636, RFC 8693), and the usual names of passwords, keys, sessions and card
    /// data.
    ///
    /// `code`, `key` and `sign` are not among them, which bodies use for business codes and the like.
    public static let standardHiddenMembers: Set<String> = [
        "accesstoken", "refreshtoken", "idtoken", "token", "authtoken", "sessiontoken", "csrftoken",
        "devicecode", "codeverifier", "clientassertion", "assertion", "clientsecret", "secret",
        "secretkey", "secretaccesskey", "sharedsecret", "appsecret", "password", "passwd", "pwd",
        "newpassword", "oldpassword", "passphrase", "pin", "otp", "apikey", "privatekey",
        "credential", "credentials", "authorization", "signature", "session", "sessionid", "cookie",
        "jwt", "subjecttoken", "actortoken", "cardnumber", "cvv", "cvc", "ssn",
    ]
}
