import InterceptorKit
import InterceptorKitInspection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Shows real requests travelling a chain over real sockets, and checks the result of each.
///
/// `--without NAME` leaves an interceptor out, to see what it was for; `--engine NAME` has another
/// engine carry the requests. A page that shows the calls is written to a temporary file, or to that of
/// `--timeline FILE`.
@main
struct Quickstart {
    static func main() async {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            let engines = Engine.allCases.map(\.rawValue).joined(separator: "|")
            print(
                "usage: Quickstart [--engine \(engines)] [--without INTERCEPTOR] [--timeline FILE]"
            )
            exit(2)
        }
        do {
            let page = Timeline()
            let tour = Tour(on: options.engine, without: options.removed, keeping: page)
            try await tour.run { print($0) }
            try page.write(to: options.timeline, title: "Quickstart")
            print("page: \(options.timeline)")
            print("quickstart: ok")
        } catch let error as EngineUnavailable {
            print("quickstart: \(error)")
            exit(3)
        } catch {
            print("quickstart: failed: \(error)")
            exit(1)
        }
    }
}

/// What the command line asks for.
struct Options {
    private(set) var engine = Engine.urlsession
    private(set) var removed: String?
    private(set) var timeline: String

    init?(_ arguments: some Sequence<String>) {
        timeline = FileManager.default.temporaryDirectory.appending(path: "quickstart.html").path
        var rest = arguments.makeIterator()
        while let name = rest.next() {
            guard let value = rest.next() else { return nil }
            switch name {
            case "--without": removed = value
            case "--timeline": timeline = value
            case "--engine":
                guard let named = Engine(rawValue: value) else { return nil }
                engine = named
            default: return nil
            }
        }
    }
}
