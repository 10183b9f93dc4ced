import InterceptorKit
import InterceptorKitSigning
import TestSupport

extension SignatureExample {
    static let webhooks = [
        SignatureExample(
            "webhook 1 (GitHub, \"Validating webhook deliveries\")",
            .webhook(),
            .post("https://hooks.example.com/", body: "Hello, World!"),
            key("github", "It's a Secret to Everybody"),
            at: 0,
            is: "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
        ),
        SignatureExample(
            "webhook 2 (octokit/webhooks-methods, its tests)",
            .webhook(),
            .post("https://hooks.example.com/", body: #"{"foo":"bar"}"#),
            key("github", "mysecret"),
            at: 0,
            is: "sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3"
        ),
        SignatureExample(
            "slack 1 (Slack, \"Verifying requests from Slack\")",
            .slack,
            .post(
                "https://hooks.example.com/",
                headers: form,
                body: """
                    token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow\
                    &channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner\
                    &command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com\
                    %2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN\
                    &trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c
                    """
            ),
            key("slack", "8f742231b10e8888abcd99yyyzzz85a5"),
            at: 1_531_420_618,
            is: "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
        ),
        SignatureExample(
            "slack 2 (slack_sdk 3.47.0, SignatureVerifier.generate_signature)",
            .slack,
            .post("https://hooks.example.com/", headers: form, body: "text=ü+%FF"),
            key("slack", "8f742231b10e8888abcd99yyyzzz85a5"),
            at: 1_795_305_600,
            is: "v0=3baf6b1ee2fa7293d489bd802ec4e53ee2c6b931bc7fd68ce39c57881eec20f8"
        ),
        SignatureExample(
            "stripe 1 (stripe 16.1.0, WebhookSignature.generate_signature_header)",
            .stripe(),
            .post(
                "https://hooks.example.com/",
                body: "{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}"
            ),
            key("stripe", "whsec_test_secret"),
            at: 1_795_305_600,
            is: """
                t=1795305600,\
                v1=0282d694649592d77bba59b8e297bfc735d864652dfaa60eef4202d9c943f6ac
                """
        ),
        SignatureExample(
            "stripe 2 (stripe 16.1.0, WebhookSignature.generate_signature_header)",
            .stripe(),
            .post("https://hooks.example.com/", body: #"{"name":"ü"}"#),
            key("stripe", "whsec_other"),
            at: 1,
            is: "t=1,v1=587a54444d1101955e160cc14bf4547b51fd821ad7f2077b767fd1cd8a5611ed"
        ),
        SignatureExample(
            "twilio 1 (Twilio, \"Validating requests\")",
            .twilio(),
            .post(
                "https://mycompany.com/myapp.php?foo=1&bar=2",
                headers: form,
                body: """
                    To=%2B18005551212&From=%2B14158675309&Digits=1234&Caller=%2B14158675309\
                    &CallSid=CA1234567890ABCDE
                    """
            ),
            key("AC1", "12345"),
            at: 0,
            is: "RSOYDt4T1cUTdK1PDd93/VVr8B8="
        ),
        SignatureExample(
            "twilio 2 (twilio 9.13.0, RequestValidator, HMAC_SHA256, a pair twice)",
            .twilio(.sha256),
            .post(
                "https://mycompany.com/myapp?foo=1+2&bar=%C3%BC",
                headers: form,
                body: "To=%2B1+800&To=%2B1+800&To=%2B1&Body=%C3%BC&Empty="
            ),
            key("AC1", "12345"),
            at: 0,
            is: "XsTywsAjaFulAjmaG52APzkTo0noFDohx6Z6MU5hCPw="
        ),
        SignatureExample(
            "twilio 3 (twilio 9.13.0, RequestValidator, JSON by bodySHA256)",
            .twilio(),
            .post(
                """
                https://mycompany.com/myapp.php?bodySHA256=\
                0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620
                """,
                headers: ["Content-Type": "application/json"],
                body: #"{"property": "value", "boolean": true}"#
            ),
            key("AC1", "12345"),
            at: 0,
            is: "y77kIzt2vzLz71DgmJGsen2scGs="
        ),
    ]
}
