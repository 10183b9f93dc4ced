// Files up and down, with progress, resumption and checksums.
import InterceptorKit
import InterceptorKitTransfers

func transfer(_ api: HTTP.Client) async throws {
    // snippet.plain
    let file = try await api.download(.get("/releases/7.img"), to: "7.img")
    let response = try await api.upload(.put("/photos/7"), from: .file("7.jpg"))
    // snippet.end
    print(file.byteCount, response.status)
}

func watch(_ api: HTTP.Client) async throws {
    // snippet.progress
    let download = api.startDownload(.get("/releases/7.img"), to: "7.img")
    for await progress in download.progress {
        print(progress)  // 2048 of 4096 bytes (50 %), 1024 bytes/s, 2 s left
    }
    let file = try await download.value
    // snippet.end
    print(file.path)
}

func name(_ api: HTTP.Client) async throws {
    // snippet.folder
    let file = try await api.download(.get("/releases/latest"), into: "releases")
    // snippet.end
    print(file.path)
    // snippet.name
    let latest = try await api.download(.get("/releases/latest"), into: "releases")
    let dated = try await api.download(.get("/releases/latest"), into: "releases") { response in
        response.headers["X-Release"].map { "release-\($0).img" } ?? "release.img"
    }
    // snippet.end
    print(latest.path, dated.path)
}

func resume(_ api: HTTP.Client, _ published: String, _ presigned: HTTP.URL) async throws {
    // snippet.options
    var options = HTTP.DownloadOptions()
    options.keepsPartial = true
    options.expectedChecksum = HTTP.Checksum(sha256: published)
    options.maximumBytes = 4 << 30
    let file = try await api.download(.get("/releases/7.img"), to: "7.img", options: options)
    // snippet.end
    // snippet.identity
    options.identity = "releases/7"
    let same = try await api.download(.get(presigned), to: "7.img", options: options)
    // snippet.end
    print(file.resumptions, same.resumptions)
}

func resumeFromValue(_ api: HTTP.Client, _ presigned: HTTP.URL) async throws {
    var options = HTTP.DownloadOptions()
    // snippet.resumeData
    options.resumeData = HTTP.ResumeData(keptFor: "7.img")
    let file = try await api.download(.get(presigned), to: "7.img", options: options)
    // snippet.end
    print(file.resumptions)
}

func end(_ api: HTTP.Client, _ upload: HTTP.Transfer<HTTP.Response>) {
    // snippet.cancel
    upload.cancel()
    api.cancelAll()
    // snippet.end
}

func handle(_ api: HTTP.Client) async throws {
    // snippet.errors
    do {
        _ = try await api.download(.get("/releases/7.img"), to: "7.img")
    } catch let error as HTTP.TransferError where error.code == .diskFull {
        print("There is no space left.")
    } catch let error as HTTP.TransferError where error.code == .refused {
        print("The server said \(error.response?.status ?? 0).")
    }
    // snippet.end
}
