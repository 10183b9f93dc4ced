import InterceptorKit
import InterceptorKitSigning
import TestSupport

extension SignatureExample {
    static let clouds = [
        SignatureExample(
            "aliyunACS3 1 (Alibaba Cloud, \"V3 request structure and signature\")",
            .aliyunACS3,
            .post(
                """
                https://ecs.cn-shanghai.aliyuncs.com/?RegionId=cn-shanghai\
                &ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd
                """,
                headers: ["x-acs-action": "RunInstances", "x-acs-version": "2014-05-26"]
            ),
            key("YourAccessKeyId", "YourAccessKeySecret"),
            at: 1_698_315_752,
            nonce: "3156853299f313e23d1673dc12e1703d",
            is: "06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
        ),
        SignatureExample(
            "aliyunACS3 2 (alibabacloud-tea-openapi 0.4.6, Utils.get_authorization)",
            .aliyunACS3,
            .post(
                "https://cs.cn-hangzhou.aliyuncs.com/api/a%20b?b-2=x+y%2B%c3%bc&Key=%252F%2F*~&a.1",
                headers: [
                    "x-acs-action": "Do", "x-acs-version": "2015-12-15",
                    "content-type": "application/json;  charset=utf-8", "x-acs-many": "b",
                    "X-Acs-Many": "a", "x-acs-note": "two  blanks",
                ],
                body: #"{"a":"ü"}"#
            ),
            key("AKID", "secret", token: "t/ok+en="),
            at: 1_795_305_600,
            nonce: "00ff",
            is: "81cb3038197fe177c69ffd5d7a7ea1aa56da7662fd2673d9ad21d83eab915c2b"
        ),
        SignatureExample(
            "tencentTC3 1 (Tencent Cloud, \"Signature v3\")",
            .tencentTC3(service: "cvm"),
            .post(
                "https://cvm.tencentcloudapi.com/",
                headers: ["Content-Type": "application/json; charset=utf-8"],
                body: .text(filters)
            ),
            key("AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******", "Gu5t9xGARNpq86cd98joQYCN3*******"),
            at: 1_551_113_065,
            is: "2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c"
        ),
        SignatureExample(
            "tencentTC3 2 (Tencent Cloud, \"Signature v3\", with the action)",
            .tencentTC3(service: "cvm", signing: ["Content-Type", "X-TC-Action"]),
            .post(
                "https://cvm.tencentcloudapi.com/",
                headers: [
                    "Content-Type": "application/json; charset=utf-8",
                    "X-TC-Action": "DescribeInstances",
                ],
                body: .text(filters)
            ),
            key("AKID********************************", "********************************"),
            at: 1_551_113_065,
            is: "10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f"
        ),
        SignatureExample(
            "tencentTC3 3 (tencentcloud-sdk-python-common 3.1.195, a GET)",
            .tencentTC3(service: "cvm"),
            .get(
                "https://cvm.tencentcloudapi.com/?Zone=a+b%2Bc&Name=%C3%BC%2A~&Empty=",
                headers: form
            ),
            key("AKID", "secret", token: "tok+/="),
            at: 1_795_305_600,
            is: "12c9434a7992aadf0e3c63b5c8eda39c2911cdbdb72442d762dc47d364fcecca"
        ),
        // No answer of the gateway is published: hmac and hashlib of Python 3.11 over the described text.
        SignatureExample(
            "mobileGateway 1 (HMAC-SHA256 in base64, by Python)",
            .mobileGateway(),
            .post(
                "https://gateway.example.com/mgw.htm",
                headers: ["Operation-Type": "com.example.login"],
                body: #"[{"user":"ü"}]"#
            ),
            key("app", "secret"),
            at: 1_795_305_600.25,
            is: "Vc0FjiO/b/Qa6jah5UNGu146+GhxQGqrm/6Xq/6T7I0="
        ),
        SignatureExample(
            "mobileGateway 2 (MD5 in hexadecimal digits, by Python)",
            .mobileGateway(with: .hash(.md5), as: .hexadecimal),
            .post(
                "https://gateway.example.com/mgw.htm",
                headers: ["Operation-Type": "com.example.raw"],
                body: .bytes([0xFF, 0xFE, 0])
            ),
            key("app", "other"),
            at: 1_795_305_600.25,
            is: "d0ae0d01c72a1c11c0d6b85f160e3079"
        ),
    ]

    private static let filters = #"""
        {"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}
        """#
}
