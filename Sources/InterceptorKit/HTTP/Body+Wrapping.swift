extension HTTP.Body {
    /// The body as a stream, which is opened when it is first read and not before.
    ///
    /// A body that can be read once is claimed by the first reading; until then it can still be read in
    /// another way. Cancelling the stream cancels such a body.
    public func stream() -> any BodyStream { BodySource(self) }

    /// The body, read through a stream of your own that has the same length.
    ///
    /// See ``wrapping(length:_:)``.
    /// - Parameter wrap: Makes the stream that reads `base`.
    public func wrapping<Stream: BodyStream>(
        _ wrap: @escaping @Sendable (_ base: any BodyStream) -> Stream
    ) -> HTTP.Body {
        wrapping(length: length, wrap)
    }

    /// The body, read through a stream of your own: to change, count, store or check what passes.
    ///
    /// Nothing is read until the new body is. One that can be read once is wrapped once, at the call, so
    /// that the stream's `deinit` also tells of a body that nobody reads. One that can be read again, also
    /// from memory or a file, is wrapped again for each reading, and is then neither ``inMemory`` nor a
    /// ``file``. The stream passes ``BodyStream/cancel()`` on to `base`; trailers pass by themselves
    /// unless it has its own.
    /// - Parameters:
    ///   - length: The new number of bytes; `nil` if it is not known.
    ///   - wrap: Makes the stream that reads `base`.
    public func wrapping<Stream: BodyStream>(
        length: Int?,
        _ wrap: @escaping @Sendable (_ base: any BodyStream) -> Stream
    ) -> HTTP.Body {
        switch storage {
        case .oneShot(let body):
            HTTP.Body(.oneShot(OneShotBody(length: length, wrap(stream()), over: body)), as: format)
        case .bytes, .file, .replayable:
            HTTP.Body(.replayable(length: length) { wrap(stream()) }, as: format)
        }
    }
}
