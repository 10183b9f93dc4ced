import InterceptorKit

// What the specification demands and browsers leave out: those members may be missing when an archive
// is read, and are always written.
extension HAR.Request {
    enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize
        case bodySize, comment
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            method: try container.decode(String.self, forKey: .method),
            url: try container.decode(String.self, forKey: .url),
            headers: try container.decode([HAR.Field].self, forKey: .headers),
            queryString: try container.decodeIfPresent([HAR.Field].self, forKey: .queryString)
                ?? [],
            postData: try container.decodeIfPresent(HAR.PostData.self, forKey: .postData),
            bodySize: try container.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
        )
        httpVersion = try container.decodeIfPresent(String.self, forKey: .httpVersion) ?? "unknown"
        cookies = try container.decodeIfPresent([HAR.Cookie].self, forKey: .cookies) ?? []
        headersSize = try container.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}

extension HAR.Response {
    enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize
        case bodySize, comment
        case failure = "_failure"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            status: try container.decode(Int.self, forKey: .status),
            statusText: try container.decodeIfPresent(String.self, forKey: .statusText) ?? "",
            headers: try container.decode([HAR.Field].self, forKey: .headers),
            content: try container.decode(HAR.Content.self, forKey: .content),
            redirectURL: try container.decodeIfPresent(String.self, forKey: .redirectURL) ?? ""
        )
        httpVersion = try container.decodeIfPresent(String.self, forKey: .httpVersion) ?? "unknown"
        cookies = try container.decodeIfPresent([HAR.Cookie].self, forKey: .cookies) ?? []
        headersSize = try container.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
        bodySize = try container.decodeIfPresent(Int.self, forKey: .bodySize) ?? -1
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
        failure = try container.decodeIfPresent(HAR.Failure.self, forKey: .failure)
    }
}
