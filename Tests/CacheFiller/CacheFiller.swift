import Foundation
import InterceptorKit
import InterceptorKitCaching

/// A process that writes to a store until it is killed, and says what it has done.
@main
struct CacheFiller {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "fill" where arguments.count == 4:
            let log = try Log(arguments[2])
            let filler = Filler(
                store: DiskCacheStore(arguments[1]),
                log: log,
                seed: UInt64(arguments[3]) ?? 0
            )
            try await filler.run()
        case "overfill" where arguments.count == 2:
            try await Overfill(folder: arguments[1]).run()
        default:
            print("usage: CacheFiller (fill FOLDER LOG SEED | overfill FOLDER)")
            exit(2)
        }
    }
}

/// Lines that outlive the process: each is with the system when `say` returns.
struct Log {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    }
}
