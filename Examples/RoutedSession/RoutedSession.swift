#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Shows code written for `URLSession` going through a chain without a change, and checks that it does.
@main
struct RoutedSession {
    static func main() async {
        do {
            try await Demo().run { print($0) }
            print("routed session: ok")
        } catch {
            print("routed session: failed: \(error)")
            exit(1)
        }
    }
}
