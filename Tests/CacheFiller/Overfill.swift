import Foundation
import InterceptorKit
import InterceptorKitCaching

/// Writes a file larger than the system lets this process, and prints the result of it.
struct Overfill {
    let folder: String

    func run() async throws {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
        #if canImport(Glibc)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
        unsafe setrlimit(RLIMIT_FSIZE, &limit)
        #endif
        let store = DiskCacheStore(folder)
        let response = Filler.response(1, version: 1)
        do {
            let writer = try await store.writer(for: response, length: 400_000)
            try await writer?.write(Data(count: 400_000))
            try await writer?.commit()
            print("stored")
        } catch let error as StoreError {
            print(error.code)
        }
        // Held until here, so that what is left is not what a deinitializer removes.
        print(try await store.responses(for: response.key).count)
    }
}
