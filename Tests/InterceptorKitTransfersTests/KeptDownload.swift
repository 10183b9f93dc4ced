import InterceptorKit
import InterceptorKitTesting
import InterceptorKitTransfers
import TestSupport
import Testing

/// Downloads to one file, of which a part is kept when it breaks off.
struct KeptDownload {
    let folder: Folder
    var options = HTTP.DownloadOptions()

    init() throws {
        folder = try Folder()
        options.keepsPartial = true
        options.resumptions = 0
    }

    func download(
        _ server: FileServer,
        _ url: HTTP.URL = page,
        _ options: HTTP.DownloadOptions? = nil
    ) throws -> HTTP.DownloadedFile {
        try folder.download(from: server, .get(url), options ?? self.options)
    }

    /// Leaves a part of five bytes.
    func breakOff(
        _ url: HTTP.URL = page,
        _ options: HTTP.DownloadOptions? = nil
    ) throws {
        #expect(throws: HTTP.TransferError.self) {
            try download(FileServer(faults: [.lost(after: 5)]), url, options)
        }
    }
}
