import Expectations
import Foundation
import InterceptorKit
import Testing

@testable import InterceptorKitAWS

@Suite("ConfigFile")
struct ConfigFileTests {
    @Test("reads sections, names and values with either separator")
    func values() throws {
        let file = try ConfigFile(
            "# a comment\n[default]\nRegion = eu-west-1 ; not a comment\n; another\nkey:a=b\r\n\r[a b]\nx=\n"
        )

        expectEqual(file["default"]?.values, ["region": "eu-west-1 ; not a comment", "key": "a=b"])
        expectEqual(file["a b"]?.values, ["x": ""])
    }

    @Test("continues a value in lines that are indented more")
    func continued() throws {
        let file = try ConfigFile("[a]\n  x = 1\n   2\n\n   # no value\n   3\n  y = 4\n")

        expectEqual(file["a"]?.values, ["x": "1\n2\n\n3", "y": "4"])
    }

    @Test("reads settings below a name without a value")
    func nested() throws {
        let file = try ConfigFile("[a]\ns3 =\n  max = 10\n  size=5 \nregion = r\n")

        expectEqual(file["a"]?.nested, ["s3": ["max": "10", "size": "5"]])
        expectEqual(file["a"]?.values, ["region": "r"])
    }

    @Test(
        "refuses what could lead to another identity, naming the line",
        arguments: [
            ("x = 1", 1), ("[a]\nx", 2), ("[a]\n= 1", 2), ("[a]\nx=1\nX=2", 3),
            ("[a]\n[b]\n[a]", 3), ("[a]\nx =\n  y", 2),
        ]
    )
    func refused(_ text: String, _ line: Int) {
        let error = #expect(throws: ConfigFileError.self) { try ConfigFile(text) }

        expectEqual(error?.line, line)
    }

    @Test("shows no value of a line that it refuses")
    func redacted() throws {
        let files = try Files(["/home/.aws/credentials": "[default]\nsecret-value\n"])
        let environment = AWSEnvironment.test(files: files.path, runtime: .live)

        let error = #expect(throws: TokenError.self) { try SharedConfig(environment) }

        expectEqual(error?.code, .invalidConfiguration)
        expectEqual(error?.message.contains("line 2"), true)
        expectEqual(error?.message.contains("secret-value"), false)
    }
}

@Suite("SharedConfig")
struct SharedConfigTests {
    @Test("puts the credentials file's settings before the config file's")
    func merged() throws {
        let config = SharedConfig(
            config: try ConfigFile(
                "[default]\nregion=a\n[profile b]\nx=1\ny=1\n[profile \"c d\"]\nx=1\n[e]\nx=1\n"
            ),
            credentials: try ConfigFile("[b]\nx=2\n[f]\nx=3\n")
        )

        expectEqual(config.profile("default")?.values, ["region": "a"])
        expectEqual(config.profile("b")?.values, ["x": "2", "y": "1"])
        expectEqual(config.profile("c d")?.values, ["x": "1"])
        expectEqual(config.profile("e"), nil)
        expectEqual(config.profile("f")?.values, ["x": "3"])
    }
}

@Suite("BoundedFile")
struct BoundedFileTests {
    @Test(
        "takes a file in a folder that may not be searched for none",
        .enabled(if: geteuid() != 0, "the superuser may search any")
    )
    func hidden() throws {
        let files = try Files(["/home/file": "text"])
        let (folder, file) = (files.path + "/home", files.path + "/home/file")
        let manager = FileManager.default
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }

        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        let unreadable = Result { try BoundedFile.text(file, upTo: 10) }
        try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: folder)
        let hidden = try BoundedFile.text(file, upTo: 10)

        #expect(throws: TokenError.self) { try unreadable.get() }
        expectEqual(hidden, nil)
    }
}

@Suite("ShellWords")
struct ShellWordsTests {
    @Test(
        "splits as a POSIX shell does",
        arguments: [
            ("a b  c", ["a", "b", "c"]), ("'a b' \"c d\"", ["a b", "c d"]), ("a\\ b", ["a b"]),
            ("\"a\\\"b\\\\c\\d\"", ["a\"b\\c\\d"]), ("''", [""]), ("a'b'\"c\"", ["abc"]), ("", []),
            ("'a\\b'", ["a\\b"]),
        ] as [(String, [String])]
    )
    func split(_ text: String, _ words: [String]) {
        expectEqual(ShellWords.split(text), words)
    }

    @Test("refuses a quote or an escape without an end", arguments: ["'a", "\"a", "a\\"])
    func refused(_ text: String) {
        expectEqual(ShellWords.split(text), nil)
    }
}

@Suite("AWSTimestamp")
struct AWSTimestampTests {
    @Test(
        "reads dates of RFC 3339 and those that caches have",
        arguments: [
            "2022-05-02T18:36:00Z", "2022-05-02T18:36:00.123Z", "2022-05-02T20:36:00+02:00",
            "2022-05-02T16:36:00-0200", "2022-05-02 18:36:00", "2022-05-02T18:36:00UTC",
        ]
    )
    func dates(_ text: String) {
        expectEqual(AWSTimestamp.date(text)?.timeIntervalSince1970, 1_651_516_560)
    }

    @Test(
        "refuses what is no date",
        arguments: [
            "", "2022-13-02T18:36:00Z", "2022-02-30T18:36:00Z", "2022-05-02T24:36:00Z",
            "2022-05-02T18:36:00.Z", "2022-05-02T18:36:00X", "2022/05/02T18:36:00Z",
            "+022-05-02T18:36:00Z", "2022-05-02T18:36:00+2:00",
        ]
    )
    func refused(_ text: String) {
        expectEqual(AWSTimestamp.date(text), nil)
    }
}
