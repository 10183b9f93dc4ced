import InterceptorKit
import InterceptorKitCurl

/// Says in a process of its own, which may be given another libcurl, the result of making a transport,
/// and sends two requests to the URL given, if one is.
@main
struct CurlProbe {
    static func main() async {
        do {
            let transport = try CurlTransport()
            print("made")
            if CommandLine.arguments.count > 1 {
                let request = HTTP.Request.post(
                    HTTP.URL("\(raw: CommandLine.arguments[1])"),
                    body: "x"
                )
                for _ in 1...2 { await send(request, over: transport) }
            }
            transport.close()
        } catch {
            print("\((error as? TransportError)?.code ?? .other): \(error)")
        }
    }

    private static func send(_ request: HTTP.Request, over transport: CurlTransport) async {
        do {
            print(try await transport.send(request, call: Call()).text())
        } catch {
            print((error as? TransportError)?.code ?? .other)
        }
    }
}
