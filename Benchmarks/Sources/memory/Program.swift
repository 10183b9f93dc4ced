import Engines
import InterceptorKitTransfers
import Nginx
import Reporting

/// Moves large bodies and looks at how much of them is in memory at once.
@main
struct Program {
    private static let usage = """
        memory [--download-mib 2048] [--upload-mib 1024] [--pause-milliseconds 40] \
        [--engine \(Engine.names)]
        """

    static func main() async {
        await runProgram {
            var arguments = try Arguments(usage: usage)
            let download = try arguments.number("download-mib", default: 2048) << 20
            let upload = try arguments.number("upload-mib", default: 1024) << 20
            let pause = try arguments.number("pause-milliseconds", default: 40)
            let engine = try Engine.chosen(in: &arguments)
            try arguments.end()

            let server = try Nginx.start()
            defer { server.stop() }
            let path = try server.addSparseFile("large", size: download)
            let slow = Reader(
                portion: 4 << 20,
                firstPause: .seconds(5),
                pause: .milliseconds(pause)
            )
            let transfers = [
                Transfer.download(path, size: download, by: slow, named: "a slow reader"),
                Transfer.download(path, size: download, by: .fast, named: "a fast reader"),
                try Transfer.upload(size: upload, to: server),
            ]
            var figures: [String] = []
            for transfer in transfers {
                figures.append("memory: \(try await transfer.run(over: engine, to: server))")
                say("\(transfer.name): done")
            }
            say(figures.joined(separator: "\n"))
        }
    }
}
