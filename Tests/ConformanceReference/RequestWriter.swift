import Foundation
import InterceptorKit

/// Sends a request and reads the head of its answer, which may come before all is sent.
struct RequestWriter {
    let flaws: Set<Flaw>

    init(_ flaws: Set<Flaw>) { self.flaws = flaws }

    func head(of request: HTTP.Request, on wire: Wire) async throws -> AnswerHead {
        var request = request
        if flaws.contains(.collectsRequestBodies) {
            request.body = .bytes(try await request.body.collect(upTo: 64 << 20))
        }
        let sent = request
        // Not a group, which would wait for a stream that stands still.
        let (results, source) = AsyncStream.makeStream(of: Result<AnswerHead?, any Error>.self)
        let writing = Task {
            let failure = await failureOfWriting(sent, on: wire)
            source.yield(failure.map { .failure($0) } ?? .success(nil))
        }
        let reading = Task {
            do {
                source.yield(.success(try await read(on: wire)))
            } catch {
                source.yield(.failure(error))
            }
        }
        defer {
            writing.cancel()
            reading.cancel()
        }
        do {
            let head = try await first(of: results)
            if flaws.contains(.waitsForStreams) { await writing.value }
            return head
        } catch {
            if flaws.contains(.waitsForStreams) { await writing.value }
            throw error
        }
    }

    private func first(of results: AsyncStream<Result<AnswerHead?, any Error>>) async throws
        -> AnswerHead
    {
        var failure: (any Error)?
        for await result in results.prefix(2) {
            switch result {
            case .success(let head?): return head
            case .success(nil): continue
            case .failure(let error):
                // What the body's stream threw says more than the connection's end.
                if failure == nil || !(error is Wire.Failure) { failure = error }
            }
        }
        try Task.checkCancellation()
        throw failure ?? Wire.Failure.broken
    }

    private func failureOfWriting(_ request: HTTP.Request, on wire: Wire) async -> (any Error)? {
        do {
            try await write(request, on: wire)
        } catch Wire.Failure.broken {
            // The response, if there is one, says why.
        } catch is CancellationError {
            // The response is there, or anyone who cancelled shuts the wire down.
        } catch {
            wire.shutDown()
            return error
        }
        return nil
    }

    private func write(_ request: HTTP.Request, on wire: Wire) async throws {
        let isChunked =
            request.body.length == nil
            || flaws.contains(.sendsKnownLengthsInChunks) && !request.body.isEmpty
        try await wire.send(head(request, isChunked: isChunked))
        for try await chunk in request.body {
            if isChunked {
                let size = String(chunk.count, radix: 16)
                try await wire.send(Array("\(size)\r\n".utf8) + chunk + Array("\r\n".utf8))
            } else {
                try await wire.send(Array(chunk))
            }
        }
        // A cancelled task's stream ends as if it were whole.
        try Task.checkCancellation()
        if isChunked { try await wire.send(Array("0\r\n\r\n".utf8)) }
    }

    private func head(_ request: HTTP.Request, isChunked: Bool) -> [UInt8] {
        var target = request.url.requestTarget
        if flaws.contains(.sendsFragment), let mark = request.url.text.firstIndex(of: "#") {
            target += request.url.text[mark...]
        }
        var text = "\(request.method.rawValue) \(target) HTTP/1.1\r\n"
        let host = request.url.host ?? ""
        let authority = request.url.origin?.authority ?? ""
        text += "Host: \(flaws.contains(.omitsPort) ? host : authority)\r\n"
        for field in request.headers where field.name.lowercased() != "content-length" {
            text += "\(field.name): \(field.value)\r\n"
        }
        let needsLength = [.post, .put, .patch].contains(request.method)
        if isChunked {
            text += "Transfer-Encoding: chunked\r\n"
        } else if let length = request.body.length,
            length > 0 || needsLength && !flaws.contains(.omitsLengthOfEmptyBodies)
        {
            text += "Content-Length: \(length)\r\n"
        }
        return HTTP.FieldSyntax.bytes(of: text + "\r\n")
    }

    private func read(on wire: Wire) async throws -> AnswerHead {
        var early: HTTP.Headers = [:]
        while true {
            var head = try await AnswerHead(from: wire, flaws)
            if flaws.contains(.mergesInterimFields) {
                for field in early { head.headers.append(name: field.name, value: field.value) }
            }
            if head.status.code >= 200 || flaws.contains(.takesInterimForFinal) { return head }
            early = head.headers
        }
    }
}
