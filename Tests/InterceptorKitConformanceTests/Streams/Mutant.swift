import ConformanceReference
import Foundation
import InterceptorKit

/// A transport that is broken in one way.
enum Mutant: Sendable, CustomStringConvertible {
    case flawed(Flaw)
    case losesField(String)
    case losesResponseField(String)
    case setsContentType
    case losesQuery
    case losesLastByteSent
    case takes204For200
    case emptiesBodies
    case callsGzipDecoded
    case holdsBack(Int)
    case losesChunks(upTo: Int)
    case decodesEachChunk
    case losesRetry
    case stopsBodies(after: Int)
    case ends(with: String)
    case sendsTwice
    case keepsBodies

    func transport() -> any Transport<HTTP.Request> {
        var mangled = MangledTransport()
        switch self {
        case .flawed(let flaw): return ReferenceTransport([flaw])
        case .losesField(let name): mangled.request = { $0.headers[name] = nil }
        case .losesResponseField(let name): mangled.response = { $0.headers[name] = nil }
        case .setsContentType:
            mangled.response = { $0.headers["Content-Type"] = "text/event-stream" }
        case .losesQuery:
            mangled.request = { request in
                let text = request.url.text.prefix { $0 != "?" }
                request.url = HTTP.URL("\(raw: String(text))")
            }
        case .losesLastByteSent:
            mangled.request = { request in
                request.body = .bytes(try await request.body.collect(upTo: 1 << 20).dropLast())
            }
        case .takes204For200: mangled.response = { if $0.status == 204 { $0.status = 200 } }
        case .emptiesBodies: mangled.response = { $0.body = .empty }
        case .callsGzipDecoded: mangled.response = { $0.headers["Content-Encoding"] = nil }
        case .holdsBack(let count): mangled.body = .holdsBack(count)
        case .losesChunks(let size): mangled.body = .changes { $0.count <= size ? Data() : $0 }
        case .decodesEachChunk:
            mangled.body = .changes { Data(String(decoding: $0, as: UTF8.self).utf8) }
        case .losesRetry:
            mangled.body = .changes {
                Data(String(decoding: $0, as: UTF8.self).replacing("retry", with: "").utf8)
            }
        case .stopsBodies(let count): mangled.body = .stops(after: count)
        case .ends(let text): mangled.body = .ends(with: text)
        case .sendsTwice: mangled.sendsTwice = true
        case .keepsBodies: mangled.kept = Kept()
        }
        return mangled
    }

    var description: String {
        switch self {
        case .flawed(let flaw): "\(flaw)"
        case .losesField(let name): "loses \(name)"
        case .losesResponseField(let name): "loses \(name) of a response"
        case .setsContentType: "sets the media type"
        case .losesQuery: "loses the query"
        case .losesLastByteSent: "loses the last byte sent"
        case .takes204For200: "takes 204 for 200"
        case .emptiesBodies: "empties bodies"
        case .callsGzipDecoded: "calls gzip decoded"
        case .holdsBack(let count): "holds \(count) bytes back"
        case .losesChunks(let size): "loses chunks of up to \(size) bytes"
        case .decodesEachChunk: "decodes each chunk"
        case .losesRetry: "loses retry"
        case .stopsBodies(let count): "stops bodies after \(count) bytes"
        case .ends(let text): "ends every body with \(text.debugDescription)"
        case .sendsTwice: "sends twice"
        case .keepsBodies: "keeps bodies that nobody reads any more"
        }
    }
}
