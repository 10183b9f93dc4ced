import Expectations
import InterceptorKit
import Testing

@testable import InterceptorKitTransfers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("HTTP.TransferError")
struct TransferErrorTests {
    @Test(
        "tells a full disk or quota from a destination that can't be written",
        arguments: [
            (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EACCES, .destinationUnwritable),
            (EROFS, .destinationUnwritable),
        ] as [(Int32, HTTP.TransferError.Code)]
    )
    func system(number: Int32, code: HTTP.TransferError.Code) {
        let error = HTTP.TransferError.file("/data/7.iso", "cannot be written", number)

        let reason = unsafe String(cString: strerror(number))
        expectEqual(error.code, code)
        expectEqual(error.description, "\"/data/7.iso\" cannot be written: \(reason).")
    }

    @Test("dumps its code and its cause's type, but no response and no cause")
    func dumped() {
        struct Cause: Error { let secret = "s3cr3t" }
        let error = HTTP.TransferError(
            .refused,
            "Refused.",
            response: HTTP.Response(403, headers: ["X-Key": "s3cr3t"], body: "s3cr3t"),
            cause: Cause()
        )

        var text = ""
        dump(error, to: &text)

        expectTrue(text.contains("refused"))
        expectTrue(text.contains("Cause"))
        expectTrue(!text.contains("s3cr3t"))
    }
}
