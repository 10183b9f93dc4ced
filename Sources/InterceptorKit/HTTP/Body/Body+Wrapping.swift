extension HTTP.Body {
    /// Returns the body as a stream, which is opened when it is first read.
    ///
    /// The first reading claims a body that can be read once; until then it can still be read in another way.
    /// Cancelling the stream cancels such a body.
    public func stream() -> any BodyStream { BodySource(self) }

    /// Returns the body, read through your own stream of the same length.
    ///
    /// See ``wrapping(length:_:)``.
    /// - Parameter wrap: Makes the stream that reads `base`.
    public func wrapping<Stream: BodyStream>(
        _ wrap: @escaping @Sendable (_ base: any BodyStream) -> Stream
    ) -> HTTP.Body {
        wrapping(length: length, wrap)
    }

    /// Returns the body, read through your own stream, which can change, count, store or check the bytes.
    ///
    /// Nothing is read until the new body is. A body that can be read once is wrapped once, at the call, so
    /// the stream's `deinit` also reports a body that nobody reads. One that can be read again, also from
    /// memory or a file, is wrapped again for each reading, and is then neither ``inMemory`` nor a ``file``.
    /// The stream passes ``BodyStream/cancel()`` on to `base`; trailers pass through unless it has its own.
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
