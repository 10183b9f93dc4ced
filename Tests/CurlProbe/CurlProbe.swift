import InterceptorKitCurl

/// Says in a process of its own, which may be given another libcurl, what comes of making a transport.
@main
struct CurlProbe {
    static func main() {
        do {
            let transport = try CurlTransport()
            print("made")
            transport.close()
        } catch {
            print("\(error.code): \(error)")
        }
    }
}
