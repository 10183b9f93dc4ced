import Foundation

/// Where the published vectors are: in `../shared/vectors` beside the package, or where
/// `INTERCEPTORKIT_VECTORS` says.
var vectors: URL {
    if let chosen = ProcessInfo.processInfo.environment["INTERCEPTORKIT_VECTORS"] {
        return URL(fileURLWithPath: chosen)
    }
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }
    return package.appending(path: "../shared/vectors")
}
