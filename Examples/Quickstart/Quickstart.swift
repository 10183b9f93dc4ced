import InterceptorKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Shows real requests travelling a chain over real sockets, and checks what comes of each.
///
/// `--without NAME` leaves an interceptor out, to see what it was for.
@main
struct Quickstart {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let isValid = arguments.isEmpty || (arguments.count == 2 && arguments.first == "--without")
        guard isValid else {
            print("usage: Quickstart [--without INTERCEPTOR]")
            exit(2)
        }
        do {
            try await Tour(without: arguments.last).run { print($0) }
            print("quickstart: ok")
        } catch {
            print("quickstart: failed: \(error)")
            exit(1)
        }
    }
}
