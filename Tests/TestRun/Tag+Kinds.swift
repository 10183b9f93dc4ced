package import Testing

extension Tag {
    /// Real connections on loopback.
    @Tag package static var sockets: Self
    /// Other programs: etcd, nginx, Chromium, children that are killed.
    @Tag package static var process: Self
    /// Whole suites of published vectors.
    @Tag package static var vectors: Self
    /// More than a second of a processor's time.
    @Tag package static var slow: Self
}
