#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HTTP.Body: AsyncSequence {
    /// An iterator over the chunks, in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum State {
            case unread(HTTP.Body.Storage)
            // Keeps the body alive, since a client that may cancel it has only a weak reference.
            case reading(BodyReader, of: HTTP.Body.Storage)
            case ended
        }

        private var state: State

        init(_ storage: HTTP.Body.Storage) { state = .unread(storage) }

        /// The next chunk, never empty, or `nil` at the end.
        public mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            if case .unread(let storage) = state {
                if case .bytes(let data) = storage {
                    state = .ended
                    return data.isEmpty ? nil : data
                }
                state = .reading(try await storage.open(), of: storage)
            }
            guard case .reading(let reader, _) = state else { return nil }
            do {
                while let chunk = try await reader.next() {
                    if !chunk.isEmpty { return chunk }
                }
                state = .ended
                return nil
            } catch {
                state = .ended
                throw error
            }
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(storage) }

    /// The default limit for collecting a body: 16 MiB.
    public static let defaultLimit = 16 << 20

    /// Reads the whole body into memory.
    /// - Parameter limit: The largest body accepted, in bytes. Defaults to ``defaultLimit``.
    /// - Throws: ``HTTP/ContentError`` if the body is larger or was read before.
    public func collect(upTo limit: Int = defaultLimit) async throws -> Data {
        if let data = inMemory {
            guard data.count <= limit else { throw HTTP.ContentError.tooLarge(limit: limit) }
            return data
        }
        if let length, length > limit { throw HTTP.ContentError.tooLarge(limit: limit) }
        if case .oneShot(let body) = storage, body.content != nil {
            try Task.checkCancellation()
            if let content = try body.claimContent() { return content }
        }
        return try await collectChunks(upTo: limit)
    }

    private nonisolated(nonsending) func collectChunks(upTo limit: Int) async throws -> Data {
        var collected = Data()
        // A length that a server claims is trusted up to a harmless size.
        collected.reserveCapacity(Swift.min(length ?? 0, 4 << 20))
        for try await chunk in self {
            guard collected.count + chunk.count <= limit else {
                throw HTTP.ContentError.tooLarge(limit: limit)
            }
            collected.append(chunk)
        }
        return collected
    }

    /// Reads the beginning of the body, which can still be read in full.
    /// - Parameter limit: The number of bytes to read. The result may have more; it has fewer only if the body is
    ///   shorter.
    public func peek(upTo limit: Int) async throws -> Data {
        switch storage {
        case .bytes(let data):
            return data
        case .oneShot(let body):
            return try await body.peek(upTo: limit)
        case .file, .replayable:
            var seen = Data()
            for try await chunk in self {
                seen.append(chunk)
                if seen.count >= limit { break }
            }
            return seen
        }
    }

    /// Releases the rest of the body, after reading a little so that the connection can be kept.
    ///
    /// This has no effect on a body that can be read again.
    /// - Parameter limit: The largest number of bytes to read. Defaults to 4,096, as in go-retryablehttp.
    public func discard(after limit: Int = 4096) async {
        guard case .oneShot(let body) = storage, let reader = try? body.claim() else { return }
        var read = 0
        while read < limit, let chunk = try? await reader.next() { read += chunk.count }
    }

    /// Cancels a body that is still arriving: its reader gets a `CancellationError`.
    public func cancel() {
        if case .oneShot(let body) = storage { body.cancel() }
    }
}

extension HTTP.Body.Storage {
    nonisolated(nonsending) func open() async throws -> BodyReader {
        switch self {
        case .bytes(let data): BodyReader(EmptyStream.shared, after: data.isEmpty ? [] : [data])
        case .file(let region): BodyReader(try await FileStream.open(region))
        case .replayable(_, let make): BodyReader(try await make())
        case .oneShot(let body): try body.claim()
        }
    }
}

extension HTTP.ContentError {
    static func tooLarge(limit: Int) -> Self {
        Self(
            .tooLarge,
            "The body is larger than the \(limit) bytes accepted. Read it chunk by "
                + "chunk, or accept more with upTo:."
        )
    }

    static let alreadyRead = Self(
        .alreadyRead,
        "The body was read, and can be read only once. Collect it and keep the "
            + "bytes to use them more often."
    )

    static func unreadableFile(_ path: String, _ reason: String) -> Self {
        Self(.unreadableFile, "The file \(HTTP.printable(path)) cannot be read: \(reason).")
    }

    /// Whether the body itself could not be read, whatever is in it.
    fileprivate var isReadingFailure: Bool {
        [.tooLarge, .alreadyRead, .unreadableFile].contains(code)
    }
}

extension HTTP.Body {
    /// The beginning of a body, read within a limit of size and of time.
    package struct Beginning: Sendable {
        /// The state of the body after its beginning.
        package enum End: Sendable {
            /// Nothing follows: the bytes are the whole body.
            case whole
            /// More follows, or may follow: the bytes fill the limit.
            case longer
            /// The rest did not arrive in time, and was released.
            case late
            /// The rest will not arrive, because of this error.
            case broken(any Error)
        }

        package let bytes: Data
        package let end: End
    }

    /// Reads the beginning of the body, which can still be read in full.
    ///
    /// If neither the limit nor the end is reached in time, the body is released, because a transport cannot stop
    /// waiting and continue later: further reading throws.
    /// - Parameters:
    ///   - limit: The number of bytes to read.
    ///   - time: The longest time for reading.
    ///   - runtime: The call's clock.
    /// - Throws: `CancellationError` if the task is cancelled.
    package nonisolated(nonsending) func beginning(
        upTo limit: Int,
        within time: Duration,
        on runtime: Runtime
    ) async throws -> Beginning {
        if let inMemory = inMemory ?? arrivedContent {
            let end: Beginning.End = inMemory.count > limit ? .longer : .whole
            return Beginning(bytes: inMemory.prefix(Swift.max(0, limit)), end: end)
        }
        let seen = await withTaskGroup { group in
            group.addTask { () -> Result<Data, any Error>? in
                do { return .success(try await peek(upTo: limit)) } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await runtime.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            // Some streams ignore the cancellation of their reader's task.
            if first == nil { cancel() }
            group.cancelAll()
            return first
        }
        try Task.checkCancellation()
        switch seen {
        case .success(let bytes):
            // At the limit, the next chunk is not awaited to see whether there is one.
            let isWhole = bytes.count < limit || bytes.count == limit && length == limit
            return Beginning(
                bytes: bytes.prefix(Swift.max(0, limit)),
                end: isWhole ? .whole : .longer
            )
        case .failure(let error) where !(error is CancellationError):
            return Beginning(bytes: await peeked(limit), end: .broken(error))
        case .failure, nil:
            return Beginning(bytes: await peeked(limit), end: .late)
        }
    }

    private nonisolated(nonsending) func peeked(_ limit: Int) async -> Data {
        ((try? await peek(upTo: 0)) ?? Data()).prefix(Swift.max(0, limit))
    }
}

extension HTTP.Body.Beginning {
    /// The bytes, if they are the whole body.
    package var whole: Data? { if case .whole = end { bytes } else { nil } }

    /// The error that keeps the body from arriving; `nil` if it arrives, or if somebody else has read it.
    package var failure: TransportError? {
        switch end {
        case .whole, .longer:
            return nil
        case .late:
            return TransportError(
                .timedOut,
                "The rest of the response's body did not arrive in time."
            )
        case .broken(let error):
            if (error as? HTTP.ContentError)?.isReadingFailure == true { return nil }
            return error as? TransportError
                ?? TransportError(
                    .connectionLost,
                    "The rest of the response's body did not arrive.",
                    cause: error
                )
        }
    }
}

extension HTTP.Body {
    /// Reads and hashes the body chunk by chunk. A one-shot body is then used up.
    /// - Parameter algorithm: The hash function.
    /// - Throws: The error of reading the body.
    @concurrent
    public func hash(by algorithm: HashAlgorithm) async throws -> HashAlgorithm.Digest {
        if let digest = hashAtOnce(by: algorithm) { return digest }
        var hash = RunningHash(algorithm)
        if let data = inMemory {
            hash.update(data)
            return hash.finalize()
        }
        // The length decides, however short the first chunk is.
        if (length ?? .max) >= RunningHash.systemMinimum { hash.useSystemHash() }
        for try await chunk in self { hash.update(chunk) }
        return hash.finalize()
    }

    /// Returns the digest of a body that is in memory and so short that hashing it takes less time than a task's switch
    /// of executors; `nil` for any other.
    func hashAtOnce(by algorithm: HashAlgorithm) -> HashAlgorithm.Digest? {
        guard let data = inMemory, data.count <= Self.shortBytes else { return nil }
        if data.isEmpty, algorithm == .sha256 { return Self.emptySHA256 }
        return algorithm.hash(data)
    }

    // SHA-256 takes 1.2 µs for as much on the machine of Benchmarks' figures.
    private static let shortBytes = 1024

    private static let emptySHA256 = HashAlgorithm.sha256.hash([])
}
