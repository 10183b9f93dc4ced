#if os(Linux)
import Foundation
package import InterceptorKit
import InterceptorKitTesting

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What an engine does with a proxy, tried over real ones, beside what *Choose a transport* says of it.
///
/// It sets variables of the environment, so it needs a process of its own.
package struct ProxyTable {
    /// A proxy as code sets it.
    package struct Settings {
        package var port = 1
        package var isSOCKS = false
        package var authentication = LoopbackProxy.Authentication.none
        package var exceptions: [String] = []
    }

    /// One try of a row, which holds if all of its tries do.
    private struct Try {
        var row: String
        var scheme = "http"
        var host = "h.example"
        var settings = Settings()
        /// The variables, with `{P}` for the proxy's port; `nil` if code sets the proxy.
        var variables: [String: String]?
        /// What the proxy is asked for, with `{S}` for the server's port.
        var notes: [String]
    }

    private let engine: String
    private let inEnvironment: () throws -> any Transport<HTTP.Request>
    private let inCode: (Settings) throws -> (any Transport<HTTP.Request>)?

    /// - Parameters:
    ///   - engine: The engine, as its column is called.
    ///   - inEnvironment: Makes a transport for which code sets no proxy.
    ///   - inCode: Makes a transport with a proxy; `nil` where code cannot set it.
    package init(
        engine: String,
        inEnvironment: @escaping () throws -> any Transport<HTTP.Request>,
        inCode: @escaping (Settings) throws -> (any Transport<HTTP.Request>)?
    ) {
        self.engine = engine
        self.inEnvironment = inEnvironment
        self.inCode = inCode
    }

    /// The exit code of a process whose engine does what its column says.
    package static let isRight: Int32 = 17

    /// Prints the rows that say something else than was found, and ends this process.
    package func report() async throws -> Never {
        let differences = try await differences()
        print(differences.joined(separator: "\n"))
        exit(differences.isEmpty ? Self.isRight : Self.isRight + 1)
    }

    private func differences() async throws -> [String] {
        var found = ["set in code": "no"]
        if try inCode(Settings()) != nil { found["set in code"] = "yes" }
        for one in Self.tries where found[one.row] != "no" {
            found[one.row] = try await holds(one) ? "yes" : "no"
        }
        let said = try documented()
        return Set(found.keys).union(said.keys).filter { found[$0] != said[$0] }.sorted().map {
            "\(engine), \($0): found \(found[$0] ?? "nothing"), documented \(said[$0] ?? "nothing")"
        }
    }

    private func holds(_ one: Try) async throws -> Bool {
        let server = try LoopbackServer { _ in .text("host") }
        var settings = one.settings
        let proxy = try LoopbackProxy(isSOCKS: settings.isSOCKS, settings.authentication)
        settings.port = proxy.port
        for name in Self.variables { unsafe unsetenv(name) }
        var transport = one.variables == nil ? try inCode(settings) : nil
        if transport == nil {
            for (name, value) in one.variables ?? settings.variables {
                unsafe setenv(name, value.replacing("{P}", with: "\(proxy.port)"), 1)
            }
            transport = try inEnvironment()
        }
        let url = HTTP.URL(unvalidated: "\(one.scheme)://\(one.host):\(server.port)/x" as String)
        let response: HTTP.Response?
        var failure = ""
        do {
            response = try await transport?.send(.get(url), call: Call())
        } catch {
            response = nil
            failure = ", \(error)"
        }
        // No certificate is made: a tunnel that is there is enough.
        let isAnswered = one.scheme == "https" || response?.status == 200
        let notes = one.notes.map { $0.replacing("{S}", with: "\(server.port)") }
        // An engine may ask for a tunnel for `http` too.
        let tunnels = notes.map { $0.hasPrefix("GET ") ? "CONNECT \(one.host):\(server.port)" : $0 }
        if isAnswered, [notes, tunnels].contains(proxy.notes) { return true }
        print("\(one.row) over \(engine): the proxy noted \(proxy.notes)\(failure)")
        return false
    }

    /// Reads the column of the table.
    private func documented() throws -> [String: String] {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/InterceptorKit/InterceptorKit.docc/ChooseATransport.md"
        )
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
            .drop { $0 != "<!-- proxies: begin -->" }.dropFirst()
            .prefix { $0 != "<!-- proxies: end -->" }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        guard let column = lines.first?.firstIndex(of: engine) else { return [:] }
        return lines.dropFirst(2).reduce(into: [:]) { $0[$1[0]] = $1[column] }
    }
}

extension ProxyTable {
    private static let variables = [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
        "no_proxy", "NO_PROXY",
    ]

    private static let tries = [
        Try(row: "`http`", notes: ["GET http://h.example:{S}/x"]),
        Try(row: "`https`, by a tunnel", scheme: "https", notes: ["CONNECT h.example:{S}"]),
        Try(
            row: "a password, by Basic",
            settings: Settings(authentication: .password),
            notes: ["GET http://h.example:{S}/x"]
        ),
        Try(
            row: "a password, by Basic",
            scheme: "https",
            settings: Settings(authentication: .password),
            notes: ["CONNECT h.example:{S}"]
        ),
        Try(
            row: "a password, by Digest",
            scheme: "https",
            settings: Settings(authentication: .digest),
            notes: ["refused", "CONNECT h.example:{S}"]
        ),
        Try(row: "SOCKS5", settings: Settings(isSOCKS: true), notes: ["name h.example:{S}"]),
        Try(
            row: "SOCKS5 with a password",
            settings: Settings(isSOCKS: true, authentication: .password),
            notes: ["name h.example:{S}"]
        ),
        Try(
            row: "some hosts without it",
            host: "127.0.0.1",
            settings: Settings(exceptions: ["a.example", "127.0.0.1"]),
            notes: []
        ),
        Try(
            row: "`http_proxy`",
            variables: ["http_proxy": "http://127.0.0.1:{P}"],
            notes: ["GET http://h.example:{S}/x"]
        ),
        // It may be a field of a request that a CGI program serves (CVE-2016-5385).
        Try(
            row: "`http_proxy`",
            host: "127.0.0.1",
            variables: ["HTTP_PROXY": "http://127.0.0.1:{P}"],
            notes: []
        ),
        Try(
            row: "`https_proxy`, `HTTPS_PROXY`",
            scheme: "https",
            variables: [
                "https_proxy": "http://127.0.0.1:{P}", "HTTPS_PROXY": "http://127.0.0.1:1",
            ],
            notes: ["CONNECT h.example:{S}"]
        ),
        Try(
            row: "`https_proxy`, `HTTPS_PROXY`",
            scheme: "https",
            variables: ["https_proxy": "", "HTTPS_PROXY": "http://127.0.0.1:{P}"],
            notes: ["CONNECT h.example:{S}"]
        ),
        Try(
            row: "`all_proxy`, `ALL_PROXY`",
            settings: Settings(isSOCKS: true),
            variables: ["ALL_PROXY": "socks5h://127.0.0.1:{P}"],
            notes: ["name h.example:{S}"]
        ),
        Try(
            row: "`no_proxy`, `NO_PROXY`",
            variables: ["all_proxy": "http://127.0.0.1:{P}", "no_proxy": "a.example"],
            notes: ["GET http://h.example:{S}/x"]
        ),
        Try(
            row: "`no_proxy`, `NO_PROXY`",
            host: "127.0.0.1",
            variables: ["all_proxy": "http://127.0.0.1:{P}", "NO_PROXY": "a.example,127.0.0.1"],
            notes: []
        ),
    ]
}

extension ProxyTable.Settings {
    /// The same in the environment, as far as that can say it.
    fileprivate var variables: [String: String] {
        let user = authentication == .none ? "" : "us%40er:p%3As%2Fs%3F@"
        let address = "\(isSOCKS ? "socks5h" : "http")://\(user)127.0.0.1:{P}"
        return [
            "http_proxy": address, "https_proxy": address,
            "no_proxy": exceptions.joined(separator: ","),
        ]
    }
}
#endif
