// The proxies of ChooseATransport, and the pins of documentation comments.
import InterceptorKit
import InterceptorKitCurl

func overProxy(_ user: String, _ password: String) throws -> CurlTransport {
    // snippet.proxy
    var settings = CurlTransport.Settings()
    settings.proxy = .address("socks5h://127.0.0.1:1080")
    settings.proxy.user = user
    settings.proxy.password = password
    settings.proxy.exceptions = ["localhost", "10.0.0.0/8", "*.internal.example"]
    // snippet.end
    return try CurlTransport(settings: settings)
}

func pinned(keyInUse: String, nextKey: String) throws -> CurlTransport {
    // snippet.pins
    var settings = CurlTransport.Settings()
    settings.tls.pins = [
        "api.example.com": [keyInUse, nextKey],
        "**.example.org": [nextKey],
    ]
    // snippet.end
    return try CurlTransport(settings: settings)
}
