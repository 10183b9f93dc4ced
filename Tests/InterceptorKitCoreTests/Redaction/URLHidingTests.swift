import Expectations
import InterceptorKit
import TestSupport
import Testing

@Suite("URLHiding")
struct URLHidingTests {
    @Test(
        "hides user information and secret parameters in any text",
        arguments: [
            ("https://u:p@h/x", "https://██@h/x"), ("https://u@h", "https://██@h"),
            ("u:p@h/x?b", "██@h/x?b"),
            ("https://h/a@b?token=1", "https://h/a@b?token=██"),
            ("?api_key=1&x=2", "?api_key=██&x=2"),
            ("https://h/?TOKEN=1", "https://h/?TOKEN=██"),
            ("https://h/?to%6ben=1", "https://h/?to%6ben=██"),
            ("https://h/?token", "https://h/?token"),
            ("https://h/#token=1&a=2", "https://h/#token=██&a=2"),
            ("https://u:p@h/x@y", "https://██@y"), ("//u:p@h/x", "//██@h/x"),
            ("https://u:p#q@h/x?a=b", "https://██@h/x?a=b"), ("https://u:p?q@h", "https://██@h"),
            ("https://u:p/q@h/x", "https://██@h/x"), ("https://u:1/q@h/x", "https://██@h/x"),
            ("https:\\\\u:p@h", "https:\\\\██@h"), ("jdbc:x://u:p@h", "jdbc:x://██@h"),
            ("http://h:8080/users/@me", "http://h:8080/users/@me"),
            ("http://a.h:8080/a@b", "http://a.h:8080/a@b"),
            ("http://[::1]:1/a@b", "http://[::1]:1/a@b"),
            ("https://h/?a=1;sid=2;b=3&c=4", "https://h/?a=1;sid=██&c=4"),
            ("https://h/x;jsessionid=1/y", "https://h/x;jsessionid=██/y"),
            ("https://h/#/x?b=1&jwt=2", "https://h/#/x?b=1&jwt=██"),
            ("/?next=%2Fcb%3Fotp%3D1&b=2", "/?next=██&b=2"),
            ("/?next=%2Fcb%3Fb%3D1", "/?next=%2Fcb%3Fb%3D1"),
            ("/100%25/50%?q=50%25&r=5%", "/100%25/50%?q=50%25&r=5%"),
            ("", ""),
        ]
    )
    func urls(text: String, shown: String) {
        expectEqual(Redaction.standard.url(text), shown)
    }
}
