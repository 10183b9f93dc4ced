import InterceptorKit
import InterceptorKitSigning
import TestSupport

extension SignatureExample {
    static let oauth = [
        SignatureExample(
            "oauth1 1 (RFC 5849 section 1.2, the photo)",
            .oauth1(hasVersion: false),
            .get("http://photos.example.net/photos?file=vacation.jpg&size=original"),
            .oauth1(
                consumerKey: "dpf43f3p2l4k3l03",
                consumerSecret: "kd94hf93k423kf44",
                token: "nnch734d00sl2jdk",
                tokenSecret: "pfkkdhi9sl3r4s00"
            ),
            at: 137_131_202,
            nonce: "chapoH",
            is: "MdpQcU8iPSUjWoN/UDMsK2sui9I="
        ),
        SignatureExample(
            "oauth1 2 (RFC 5849 section 1.2, the token)",
            .oauth1(adding: ["oauth_verifier": "hfdp7dh39dks9884"], hasVersion: false),
            .post("https://photos.example.net/token"),
            .oauth1(
                consumerKey: "dpf43f3p2l4k3l03",
                consumerSecret: "kd94hf93k423kf44",
                token: "hh5s93j4hdidpola",
                tokenSecret: "hdhd0244k9j7ao03"
            ),
            at: 137_131_201,
            nonce: "walatlh",
            is: "gKgrFCywp7rO0OXSjdot/IHF7IU="
        ),
        SignatureExample(
            "oauth1 3 (Twitter, \"Creating a signature\")",
            .oauth1(),
            .post(
                "https://api.twitter.com/1.1/statuses/update.json?include_entities=true",
                headers: form,
                body: "status=Hello+Ladies+%2B+Gentlemen,+a+signed+OAuth+request!"
            ),
            .oauth1(
                consumerKey: "xvz1evFS4wEEPTGEFPHBog",
                consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
                token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
                tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"
            ),
            at: 1_318_622_958,
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
            is: "hCtSmYh+iHYCEqBWrE7C7hYmtUk="
        ),
        SignatureExample(
            "oauth1 4 (oauthlib 4.0.1, blanks as + in query and form)",
            .oauth1(.hmacSHA256),
            HTTP.Request(
                "post",
                "http://API.example.com:80/a%20b?x=1+2&x=1%202&y=%C3%BC&z",
                headers: form,
                body: "b=%2B+&b="
            ),
            .oauth1(
                consumerKey: "ck-1",
                consumerSecret: "c s+&",
                token: "to k/+en",
                tokenSecret: "t%s"
            ),
            at: 1_795_305_600,
            nonce: "00ff",
            is: "oHng8HQxl1C42qOqeqfKx06KNaHoDUS8445zLQRD3aU="
        ),
    ]
}
