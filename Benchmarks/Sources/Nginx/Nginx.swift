import Foundation

/// An nginx of this process's own on the loopback interface, with files made for it.
///
/// It is started by a shell that waits for the end of its standard input, which comes however this
/// process ends, and then ends the server and removes its folder.
public final class Nginx: Sendable {
    /// The bytes of `/hundred`, which come from no file.
    public static let hundredSize = 100
    /// The bytes of `/small`.
    public static let smallSize = 200
    /// The bytes of `/mebibyte`.
    public static let mebibyte = 1 << 20

    // Not `wait`: started from one of libdispatch's threads, the shell has SIGCHLD blocked, and some
    // shells then wait forever.
    private static let script = """
        trap '' HUP INT TERM
        PATH="$PATH:/usr/sbin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin"
        command -v nginx > /dev/null || { rm -rf "$1"; exit 127; }
        nginx -p "$1" -c nginx.conf -e stderr &
        read -r _
        kill $!
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            [ -e "$1/nginx.pid" ] || break
            sleep 0.1
        done
        rm -rf "$1"
        """

    private let port: UInt16
    private let folder: URL
    private let shell: Process
    // The shell waits for this end to be closed.
    private let lifeline: Pipe

    /// Starts a server; when this returns it answers.
    ///
    /// Its port is one that was free a moment before. Another process may be faster, so it is tried
    /// three times.
    public static func start() throws -> Nginx {
        var attempts = 3
        while true {
            attempts -= 1
            do {
                return try Nginx()
            } catch let error as NginxError where error.isWorthRepeating && attempts > 0 {
                continue
            }
        }
    }

    private init() throws {
        guard let port = Loopback.freePort() else { throw NginxError.noPort }
        self.port = port
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("interceptorkit-nginx-\(UUID().uuidString)")
        lifeline = Pipe()
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", Nginx.script, "sh", folder.path]
        shell.standardInput = lifeline
        do {
            try makeFiles()
            try shell.run()
            try waitUntilAnswering()
        } catch {
            stop()
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit { stop() }

    /// Ends the server and removes its files. May be called more than once.
    public func stop() {
        guard shell.isRunning else { return }
        try? lifeline.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    /// The URL of a file, with the connection's port.
    public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// A file that the server serves, made as large as wanted without taking room on the disk.
    /// - Returns: Its path as seen by a client.
    public func addSparseFile(_ name: String, size: Int) throws -> String {
        try Nginx.makeSparseFile(served(name), size: size)
        return "/\(name)"
    }

    /// A file that the server does not serve, to be sent to it.
    /// - Returns: Its path on the disk.
    public func makeFileToSend(size: Int) throws -> String {
        let file = folder.appendingPathComponent("to-send")
        try Nginx.makeSparseFile(file, size: size)
        return file.path
    }

    /// The size of a file that was put into `/uploads/`.
    public func sizeOfUpload(_ name: String) throws -> Int {
        let path = served("uploads/\(name)").path
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        return (size as? NSNumber)?.intValue ?? -1
    }

    private func served(_ name: String) -> URL {
        folder.appendingPathComponent("files").appendingPathComponent(name)
    }

    private func makeFiles() throws {
        try FileManager.default.createDirectory(
            at: served("uploads"),
            withIntermediateDirectories: true
        )
        let pattern = Data((0..<Nginx.mebibyte).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try pattern.prefix(Nginx.smallSize).write(to: served("small"))
        try pattern.write(to: served("mebibyte"))
        try Data("held".utf8).write(to: served("held"))
        let configuration = NginxConfiguration(port: port, isRoot: getuid() == 0)
        try Data(configuration.description.utf8)
            .write(to: folder.appendingPathComponent("nginx.conf"))
    }

    private func waitUntilAnswering() throws {
        let end = ContinuousClock.now + .seconds(10)
        while !Loopback.isAnswering(port: port) {
            guard shell.isRunning else { throw NginxError.notInstalled }
            guard .now < end else { throw NginxError.silent }
            usleep(10_000)
        }
    }

    private static func makeSparseFile(_ file: URL, size: Int) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: UInt64(size))
        try handle.close()
    }
}
