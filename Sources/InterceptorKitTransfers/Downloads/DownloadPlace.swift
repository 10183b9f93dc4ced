import InterceptorKit

/// Where a download goes, as its caller said it.
enum DownloadPlace: Sendable {
    /// A path.
    case file(String)
    /// A folder, and what names the file in it.
    case folder(String, name: @Sendable (HTTP.Response) throws -> String)

    var isFile: Bool { if case .file = self { true } else { false } }

    /// The destination; in a folder a name made from the resource, the same in each call, until a response
    /// has named the file.
    func initialDestination(for resource: String) throws(HTTP.TransferError) -> DownloadDestination
    {
        switch self {
        case .file(let path): try DownloadDestination(path)
        case .folder(let folder, _):
            try DownloadDestination(
                folder + "/.download-" + HTTP.Checksum(of: resource.utf8).description.prefix(16)
            )
        }
    }

    /// The destination in the light of a response.
    func destination(for response: HTTP.Response) throws -> DownloadDestination {
        switch self {
        case .file(let path): return try DownloadDestination(path)
        case .folder(let folder, let name):
            let name = try name(response)
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/"))
            else {
                throw HTTP.TransferError.destination(
                    folder + "/" + name,
                    "a name is one component"
                )
            }
            // The library's own, before a response has named the file.
            guard !name.begins(with: ".download-") else {
                throw HTTP.TransferError.destination(
                    folder + "/" + name,
                    "names that begin so are those of downloads under way"
                )
            }
            return try DownloadDestination(folder + "/" + name)
        }
    }
}
