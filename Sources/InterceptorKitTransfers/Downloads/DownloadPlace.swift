import InterceptorKit

/// The destination of a download as the caller specified it.
enum DownloadPlace: Sendable {
    /// A path.
    case file(String)
    /// A folder, and the function that names the file in it.
    case folder(String, name: @Sendable (HTTP.Response) throws -> String)

    var isFile: Bool { if case .file = self { true } else { false } }

    /// The destination before the response; in a folder, a temporary name that is the same in each call for the
    /// resource.
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

    /// The destination after the head of the response.
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
            // Reserved for the temporary names of downloads.
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
