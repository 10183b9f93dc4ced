import Expectations
import InterceptorKit
import InterceptorKitTransfers
import Testing

@Suite("HTTP.Response.suggestedFilename")
struct SuggestedFilenameTests {
    private func name(_ disposition: String?, _ url: HTTP.URL = "https://a.example/x/7.img")
        -> String?
    {
        var response = HTTP.Response(200)
        response.request = .get(url)
        if let disposition { response.headers["Content-Disposition"] = disposition }
        return response.suggestedFilename
    }

    @Test(
        "reads the parameters of Content-Disposition",
        arguments: [
            ("attachment; filename=report.pdf", "report.pdf"),
            (#"attachment; filename="my report.pdf""#, "my report.pdf"),
            (#"attachment; filename="a\"b;c.txt"; x=y"#, #"a"b;c.txt"#),
            ("attachment; FileName = a.txt", "a.txt"),
            (#"attachment; filename = "a;b.txt""#, "a;b.txt"),
            (#"attachment; filename=  "a b.txt" ; x=y"#, "a b.txt"),
            ("attachment; filename=my report.pdf ; size=3", "my report.pdf"),
            (#"attachment; odd; filename="a.txt" x; filename* = UTF-8''b%20c.txt"#, "b c.txt"),
            ("attachment; filename=caf\u{EFE9}.txt", "café.txt"),
            ("attachment; filename=a.txt; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
            ("attachment; filename*=UTF-8'en'b.txt; filename=a.txt", "b.txt"),
            ("attachment; filename*=ISO-8859-1''%A3.txt; filename=a.txt", "a.txt"),
        ]
    )
    func disposition(field: String, expected: String) {
        expectEqual(name(field), expected)
    }

    @Test("takes the last component of the URL's path where the field has no name")
    func url() {
        expectEqual(name(nil), "7.img")
        expectEqual(name("inline"), "7.img")
        expectEqual(name(nil, "https://a.example/x/my%20file.txt?token=1"), "my file.txt")
        expectEqual(name(nil, "https://a.example/"), nil)
        expectEqual(name(nil, "https://a.example"), nil)
    }

    @Test(
        "keeps a name inside of its folder and visible",
        arguments: [
            (#"attachment; filename="../../etc/passwd""#, "passwd"),
            (#"attachment; filename="..\\..\\boot.ini""#, "boot.ini"),
            ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
            (#"attachment; filename=".bashrc""#, "bashrc"),
            (#"attachment; filename="..""#, "7.img"),
            (#"attachment; filename="/""#, "7.img"),
            ("attachment; filename*=UTF-8''a%00b%0Ac.txt", "abc.txt"),
            (#"attachment; filename="unfinished"#, "unfinished"),
            ("attachment; filename=", "7.img"),
        ]
    )
    func safety(field: String, expected: String) {
        expectEqual(name(field), expected)
    }

    @Test("gives up a name that is too long for a file system")
    func length() {
        expectEqual(name("attachment; filename=" + String(repeating: "x", count: 256)), "7.img")
        expectEqual(name("attachment; filename=" + String(repeating: "x", count: 255))?.count, 255)
    }
}
