#if os(Linux)
import Expectations
import InterceptorKit
import InterceptorKitTesting
import TestRun
import Testing

@testable import InterceptorKitCurl

@Suite(
    "The system's libcurl",
    .tags(.sockets, .process),
    .serializedAcrossSuites,
    .enabled("there is no C compiler to make other libraries with") {
        OtherLibcurl.compiler != nil
    },
    .timeLimit(.minutes(10))
)
struct LibraryTests {
    /// A libcurl that says another number of itself, or to have been built without features.
    private static func saying(number: String = "it->number", without bits: Int = 0) -> String {
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        struct info { int age; const char *text; unsigned number; const char *host; int features; };
        void *curl_version_info(int age) {
            static char changed[4096];
            struct info *(*real)(int) = dlsym(RTLD_NEXT, "curl_version_info");
            if (!real) real = dlsym(dlopen("libreal.so", 2), "curl_version_info");
            struct info *it = real(age);
            for (unsigned i = 0; i < sizeof *it; i++) changed[i] = ((char *)it)[i];
            ((struct info *)changed)->number = \(number);
            ((struct info *)changed)->features &= ~\(bits);
            return changed;
        }
        """
    }

    @Test("is accepted when it meets all requirements")
    func unchanged() async throws {
        let answer = try await OtherLibcurl(Self.saying()).probed()

        expectEqual(answer, "made\n")
    }

    @Test("is available where a transport can be made")
    func available() throws {
        try CurlTransport.checkAvailability()

        expectTrue(CurlTransport.isAvailable)
        _ = try CurlTransport()
    }

    @Test("is named with the package to install when it is missing")
    func missing() async throws {
        let answer = try await OtherLibcurl(nil).probed()

        expectTrue(answer.hasPrefix("unsupported: CurlTransport needs libcurl (libcurl.so.4)"))
        expectTrue(answer.contains("Debian and Ubuntu: libcurl4"))
    }

    @Test("is refused when it is older than the oldest supported version")
    func tooOld() async throws {
        let answer = try await OtherLibcurl(Self.saying(number: "0x074300")).probed()

        expectTrue(answer.hasPrefix("unsupported: The system's libcurl is older than 7.68."))
    }

    /// A libcurl that knows no prerequest function, as before 7.80.
    private static let withoutAsking = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdarg.h>
        int curl_easy_setopt(void *easy, int option, ...) {
            int (*real)(void *, int, ...) = dlsym(RTLD_NEXT, "curl_easy_setopt");
            if (!real) real = dlsym(dlopen("libreal.so", 2), "curl_easy_setopt");
            va_list values;
            va_start(values, option);
            void *value = va_arg(values, void *);
            va_end(values);
            return option == 20312 ? 48 : real(easy, option, value);
        }
        """

    @Test("reuses no connection when it lacks the callback before a resend")
    func doesNotAsk() async throws {
        let server = try LoopbackServer { $0.number == 1 ? .text("first") : .text("second") }
        let breaking = try LoopbackServer { $0.number == 1 ? .text("first") : .reset }
        let other = try await OtherLibcurl(Self.withoutAsking)

        let answers = [
            try await other.probed(server.url("/").text),
            try await other.probed(breaking.url("/").text),
        ]

        expectEqual(answers, ["made\nfirst\nsecond\n", "made\nfirst\nconnectionLost\n"])
        expectEqual(server.requests.map(\.connection), [1, 2])
        expectEqual(breaking.requests.map(\.connection), [1, 2])
    }

    @Test("is accepted in its oldest supported version")
    func oldEnough() async throws {
        let answer = try await OtherLibcurl(Self.saying(number: "0x074400")).probed()

        expectEqual(answer, "made\n")
    }

    // CURL_VERSION_SSL and CURL_VERSION_HTTP2 of curl.h.
    @Test(
        "is refused when it was built without TLS or HTTP/2",
        arguments: [("TLS", 4), ("HTTP/2", 65_536)]
    )
    func without(feature: String, bit: Int) async throws {
        let answer = try await OtherLibcurl(Self.saying(without: bit)).probed()

        expectTrue(answer.hasPrefix("unsupported: "))
        expectTrue(answer.contains("was built without \(feature). Install libcurl 7.68"))
    }
}
#endif
