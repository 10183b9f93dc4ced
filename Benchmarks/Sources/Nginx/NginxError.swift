/// Why there is no server.
public struct NginxError: Error, CustomStringConvertible {
    public let description: String
    let isWorthRepeating: Bool

    static let noPort = NginxError(
        description: "No port of the loopback interface is free.",
        isWorthRepeating: false
    )

    static let notInstalled = NginxError(
        description: "There is no nginx to measure against. Install it: apt-get install nginx.",
        isWorthRepeating: false
    )

    static let silent = NginxError(
        description: "nginx did not answer within 10 seconds of its start; what it said is above.",
        isWorthRepeating: true
    )
}
