public import Nginx

extension Load {
    /// Bodies of 100 bytes that the server need not open a file for.
    public static func hundred(inFlight: Int, from server: Nginx) -> Load {
        Load(
            "100 bytes, \(inFlight) in flight",
            url: server.url("/hundred"),
            size: Nginx.hundredSize,
            inFlight: inFlight
        )
    }

    /// Bodies of 200 bytes.
    public static func small(inFlight: Int, from server: Nginx) -> Load {
        Load(
            "small, \(inFlight) in flight",
            url: server.url("/small"),
            size: Nginx.smallSize,
            inFlight: inFlight
        )
    }

    /// Bodies of 1 MiB.
    public static func mebibyte(inFlight: Int, from server: Nginx) -> Load {
        Load(
            "1 MiB, \(inFlight) in flight",
            url: server.url("/mebibyte"),
            size: Nginx.mebibyte,
            inFlight: inFlight
        )
    }

    /// Both, with 1, 8 and 64 in flight.
    public static func standard(from server: Nginx) -> [Load] {
        [1, 8, 64].map { small(inFlight: $0, from: server) }
            + [1, 8, 64].map { mebibyte(inFlight: $0, from: server) }
    }
}
