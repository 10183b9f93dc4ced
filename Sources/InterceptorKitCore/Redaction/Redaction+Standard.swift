extension Redaction {
    /// The default redaction.
    public static let standard = Redaction(
        shownFields: [
            "accept", "accept-encoding", "accept-language", "age", "allow", "cache-control",
            "connection", "content-encoding", "content-language", "content-length", "content-range",
            "content-type", "date", "etag", "expires", "host", "if-modified-since", "if-none-match",
            "last-modified", "range", "retry-after", "server", "transfer-encoding", "user-agent",
            "vary", "via",
        ]
    )

    /// The URL fields of the ``standard`` redaction (RFC 9110 sections 8.7, 10.1.3 and 10.2.2).
    public static let standardURLFields: Set<String> = [
        "content-location", "location", "referer",
    ]

    /// The hidden names of the ``standard`` redaction.
    ///
    /// They cover the parameters that the OpenTelemetry HTTP conventions 1.44 hide, those of OAuth 2.0, OpenID Connect
    /// and SAML (RFC 6749, RFC 7523, RFC 7636, RFC 8693, RFC 9449), and the usual names of passwords, keys, sessions,
    /// one-time codes and card data. Ambiguous names are hidden too: `page_token`, `app_id`, `keyId` and Twilio's `sid`
    /// look like secrets.
    public static let standardHiddenNames: Set<String> = [
        "token", "bearer", "jwt", "jws", "dpop", "authorization", "authentication", "authenticate",
        "auth", "credential", "credentials", "creds", "assertion", "saml", "samlresponse",
        "samlrequest", "wresult", "ticket",
        // Secrets that only their owner knows.
        "secret", "passw", "passphrase", "passcode", "passkey", "pass", "pwd", "pswd", "pw",
        "kennwort", "mnemonic", "seedphrase", "recoveryphrase", "securityanswer",
        "connectionstring", "dsn",
        // Keys and signatures.
        "key", "apikey", "accesskey", "privatekey", "secretkey", "signature", "sig", "sign", "hmac",
        // Names of OpenWeather, of the maps of Baidu and Tencent, and of others.
        "appid", "ak", "sk", "psk",
        // Sessions.
        "session", "sessid", "sid", "cookie", "csrf", "xsrf", "wpnonce", "zak",
        // One-time codes. In bodies, plain `code` may have other meanings.
        "otp", "totp", "hotp", "mfa", "pin", "puk", "pincode", "verifier", "code", "authcode",
        "devicecode", "usercode", "verificationcode", "securitycode", "accesscode", "recoverycode",
        "backupcode", "activationcode", "confirmationcode", "invitecode", "resetcode", "logincode",
        "smscode", "pairingcode",
        // Cards and persons.
        "cardnumber", "creditcard", "ccnumber", "cvv", "cvc", "cvn", "ssn",
    ]

    /// The names that the ``standard`` redaction shows although they contain a hidden name.
    ///
    /// Names that end in a word that describes a secret, such as `token_type`, `session_count` and
    /// `refresh_token_expires_in`, are shown too.
    public static let standardShownNames: Set<String> = [
        "areacode", "barcode", "businesscode", "codechallenge", "countrycode", "currencycode",
        "decode", "encode", "errcode", "errorcode", "exitcode", "httpcode", "languagecode",
        "postalcode", "postcode", "productcode", "reasoncode", "regioncode", "responsecode",
        "resultcode", "returncode", "statuscode", "subcode", "unicode", "zipcode", "cachekey",
        "donkey", "foreignkey", "hockey", "hotkey", "idempotencykey", "monkey", "objectkey",
        "partitionkey", "primarykey", "publickey", "rowkey", "sortkey", "turkey", "turnkey",
        "assign", "bypass", "campaign", "compass", "design", "spin", "secretary", "cachedtokens",
        "completiontokens", "inputtokens", "maxcompletiontokens", "maxoutputtokens", "maxtokens",
        "outputtokens", "prompttokens", "reasoningtokens", "remainingtokens", "tokenizer",
        "tokentype", "totaltokens", "usedtokens",
    ]
}
