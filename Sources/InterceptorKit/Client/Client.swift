import InterceptorKitConcurrency

extension HTTP {
    /// Sends requests through a chain of interceptors.
    ///
    /// ```swift
    /// let api = try HTTP.Client(transport: URLSessionTransport()) {
    ///     BaseURLInterceptor("https://api.example.com/v1")
    ///     ErrorFilterInterceptor()
    ///     RetryInterceptor(policy: .standard)
    /// }
    /// let order = try await api.send(.get("/orders/7")).decode(Order.self)
    /// ```
    ///
    /// `import InterceptorKitTransfers` adds `startUpload` and `startDownload`, which transfer files with progress.
    ///
    /// A client is a value around a checked ``Pipeline``; copies share their calls. Interceptors run on the executor of
    /// the task that calls ``send(_:timeout:configure:)-(HTTP.Request,_,_)``, such as the main actor's. Each call runs
    /// in a child task, so that ``cancelAll()`` cancels calls and not their callers.
    public struct Client: Sendable {
        /// The pipeline of every request.
        public let pipeline: Pipeline<Request>

        private let timeout: Duration?
        private let redaction: Redaction?
        private let envelope: HTTP.ResponseEnvelope?
        private let classifier: OutcomeClassifier<Request>?
        // Nil if calls run in the caller's own task.
        private let tracked: CallRegistry?
        let calls: CallRegistry
        /// The clock and random source of the calls.
        public let runtime: Runtime

        // A time limit in the chain knows more of a late call, such as its attempts, and a fallback continues after it.
        private let endsLateCalls: Bool
        private var executor: (any TaskExecutor)?

        /// Creates a client.
        /// - Parameters:
        ///   - transport: The transport that sends the requests.
        ///   - timeout: The longest time until the head of a call's response, including all attempts and waits. After
        ///     it, the call is cancelled with a `TimeoutError`. Defaults to 30 s; `nil` means no limit. In a chain with
        ///     a ``TimeoutInterceptor`` for the whole call or a ``FallbackInterceptor``, it is a deadline that these
        ///     and the transport keep: put a ``TimeoutInterceptor`` below a fallback.
        ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
        ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
        ///   - redaction: Decides which data of the calls events show. `nil`, the default, is ``Redaction/standard``.
        ///   - envelope: Describes where a response body of the service says whether the call worked, the meanings of
        ///     its codes, and the place of the content that responses decode. Defaults to none.
        ///   - classifier: Classifies outcomes for the interceptors, with the codes of the envelope first. `nil`, the
        ///     default, is `OutcomeClassifier.standard`.
        ///   - tracksCalls: Whether ``cancelAll()`` reaches the calls, each of which then runs in a child task.
        ///     Defaults to `true`; `false` runs a call in the caller's task, which is faster, unless its timeout needs one.
        ///   - interceptors: The interceptors, outermost first.
        /// - Throws: A ``PipelineError`` that names the interceptor and the rule; the error of the closure.
        public init(
            transport: some Transport<Request>,
            timeout: Duration? = .seconds(30),
            runtime: Runtime = .live,
            events: (any EventSink)? = nil,
            redaction: Redaction? = nil,
            envelope: HTTP.ResponseEnvelope? = nil,
            classifier: OutcomeClassifier<Request>? = nil,
            tracksCalls: Bool = true,
            @InterceptorBuilder<Request> _ interceptors: () throws -> [any Interceptor<Request>]
        ) throws {
            try self.init(
                interceptors(),
                transport: transport,
                timeout: timeout,
                runtime: runtime,
                events: events,
                redaction: redaction,
                envelope: envelope,
                classifier: classifier,
                tracksCalls: tracksCalls
            )
        }

        /// Creates a client without interceptors. It cannot throw, because no order can be wrong.
        ///
        /// The parameters are those of
        /// ``init(transport:timeout:runtime:events:redaction:envelope:classifier:tracksCalls:_:)``.
        public init(
            transport: some Transport<Request>,
            timeout: Duration? = .seconds(30),
            runtime: Runtime = .live,
            events: (any EventSink)? = nil,
            redaction: Redaction? = nil,
            envelope: HTTP.ResponseEnvelope? = nil,
            classifier: OutcomeClassifier<Request>? = nil,
            tracksCalls: Bool = true
        ) {
            self.init(
                pipeline: Pipeline(transport: transport, runtime: runtime, events: events),
                timeout: timeout,
                runtime: runtime,
                redaction: redaction,
                envelope: envelope,
                classifier: classifier,
                tracksCalls: tracksCalls
            )
        }

        /// Creates a client from a list of interceptors.
        /// - Parameters:
        ///   - interceptors: The interceptors, outermost first.
        ///   - transport: The transport that sends the requests.
        ///   - timeout: The longest time until the head of a call's response. Defaults to 30 s; `nil` means no limit.
        ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
        ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
        ///   - redaction: Decides which data of the calls events show. `nil`, the default, is ``Redaction/standard``.
        ///   - envelope: Describes where a response body of the service says whether the call worked, the meanings of
        ///     its codes, and the place of the content that responses decode. Defaults to none.
        ///   - classifier: Classifies outcomes for the interceptors, with the codes of the envelope first. `nil`, the
        ///     default, is `OutcomeClassifier.standard`.
        ///   - tracksCalls: Whether ``cancelAll()`` reaches the calls. Defaults to `true`.
        /// - Throws: A ``PipelineError`` that names the interceptor and the rule.
        public init(
            _ interceptors: [any Interceptor<Request>],
            transport: some Transport<Request>,
            timeout: Duration? = .seconds(30),
            runtime: Runtime = .live,
            events: (any EventSink)? = nil,
            redaction: Redaction? = nil,
            envelope: HTTP.ResponseEnvelope? = nil,
            classifier: OutcomeClassifier<Request>? = nil,
            tracksCalls: Bool = true
        ) throws(PipelineError) {
            self.init(
                pipeline: try Pipeline(
                    interceptors,
                    transport: transport,
                    runtime: runtime,
                    events: events
                ),
                timeout: timeout,
                runtime: runtime,
                redaction: redaction,
                envelope: envelope,
                classifier: classifier,
                tracksCalls: tracksCalls
            )
        }

        init(
            pipeline: Pipeline<Request>,
            timeout: Duration?,
            runtime: Runtime,
            redaction: Redaction?,
            envelope: HTTP.ResponseEnvelope?,
            classifier: OutcomeClassifier<Request>?,
            tracksCalls: Bool = true
        ) {
            self.pipeline = pipeline
            self.timeout = timeout
            self.redaction = redaction
            self.envelope = envelope
            self.classifier = envelope.map { (classifier ?? .standard).reading($0) } ?? classifier
            self.runtime = runtime
            calls = CallRegistry()
            tracked = tracksCalls ? calls : nil
            endsLateCalls = !pipeline.interceptors.contains {
                $0.placement == .totalTimeout || $0.placement == .fallback
            }
        }

        /// Sends a request and returns its response as soon as its head has arrived.
        ///
        /// A body without a `Content-Type` is sent with the type it was made from, JSON or text, and otherwise as
        /// `application/octet-stream`.
        /// - Parameters:
        ///   - request: The request to send.
        ///   - timeout: The ``Call/totalTimeout`` of this call. Defaults to the client's. 100 years or more: no limit.
        ///   - configure: Changes the call before it starts: values, a retry limit, whether it is signed.
        /// - Throws: The errors of interceptors and the transport, unchanged; a `TimeoutError` if the time is over;
        ///   before anything is sent, a ``RequestError`` if the request is invalid; `CancellationError` if the calling
        ///   task was cancelled or ``cancelAll()`` was called.
        public func send(
            _ request: Request,
            timeout: Duration? = nil,
            configure: (inout Call) throws -> Void = { _ in }
        ) async throws -> Response {
            try await run(request, through: pipeline, timeout, configure)
        }

        /// Sends a request with interceptors for this call only, each in its place.
        ///
        /// ``Pipeline/adding(_:)-([Interceptor<Input>])`` describes these places; to send many requests the same way,
        /// add to the pipeline once.
        /// - Throws: As ``send(_:timeout:configure:)-(HTTP.Request,_,_)``; a ``PipelineError`` if the list is invalid.
        public func send(
            _ request: Request,
            timeout: Duration? = nil,
            configure: (inout Call) throws -> Void = { _ in },
            @InterceptorBuilder<Request> adding interceptors: () throws -> [any Interceptor<
                Request
            >]
        ) async throws -> Response {
            let joined = try pipeline.adding(interceptors())
            return try await run(request, through: joined, timeout, configure)
        }

        /// Returns this client with an executor on which its calls run, such as `CurlTransport.taskExecutor`; both
        /// share their calls.
        ///
        /// The caller goes on where it was. `nil` is the executor of the caller's task, as in a new client.
        public func preferring(_ executor: (any TaskExecutor)?) -> Client {
            var client = self
            client.executor = executor
            return client
        }

        /// Cancels every call, upload and download of this client, which then throw `CancellationError`, and every
        /// response body that is still arriving. The client stays usable.
        ///
        /// A client with `tracksCalls: false` cancels only uploads and downloads.
        public func cancelAll() { calls.cancelAll() }

        /// Runs work of several calls, such as an upload, in a child task that ``cancelAll()`` cancels;
        /// ``openTransfers`` counts it while it runs.
        /// - Parameter work: The work.
        /// - Throws: The error of the work; `CancellationError` if ``cancelAll()`` was called.
        public func runTransfer<Output: Sendable>(
            _ work: @escaping @Sendable () async throws -> Output
        ) async throws -> Output {
            try await calls.runTransfer(work)
        }

        /// A hundred years of 365 days, which means no time limit.
        package static var unlimited: Duration { SettingCheck.longest }

        /// The number of calls in flight.
        public var openCalls: Int { calls.counts.calls }

        /// The number of uploads and downloads in progress.
        public var openTransfers: Int { calls.openTransfers }

        /// The number of this client's response bodies in memory that are neither read to their end nor released. Each
        /// may keep a connection busy.
        public var openBodies: Int { calls.openBodies }

        /// The sum of ``openCalls``, ``openTransfers`` and ``openBodies``. At zero, no connection is kept busy.
        public var openWork: Int { openCalls + openTransfers + openBodies }

        // Functions of their own around the one that waits, because an asynchronous one keeps all that it touches.

        func run(
            _ request: Request,
            through pipeline: Pipeline<Request>,
            _ timeout: Duration?,
            _ configure: (inout Call) throws -> Void
        ) async throws -> Response {
            let call = ClientCall(
                request,
                through: pipeline,
                try call(request, through: pipeline, timeout, configure),
                within: self.timeout,
                endsLate: endsLateCalls
            )
            if let executor {
                await run(call, on: executor)
            } else {
                await run(call)
            }
            return try response(of: call)
        }

        private func call(
            _ request: Request,
            through pipeline: Pipeline<Request>,
            _ timeout: Duration?,
            _ configure: (inout Call) throws -> Void
        ) throws -> Call {
            try request.validate(allowingRelativeURL: true)
            var call = pipeline.makeCall()
            if let timeout { call.totalTimeout = timeout }
            if let redaction { call.redaction = redaction }
            if let envelope { call[HTTP.ResponseEnvelope.self] = envelope }
            if let classifier { call[OutcomeClassifier<Request>.self] = classifier }
            try configure(&call)
            return call
        }

        private func run(_ call: ClientCall) async {
            if let tracked {
                await tracked.run(call)
            } else if call.isLimited {
                await call.runInTask()
            } else {
                await call.run()
            }
        }

        // Concurrent, because code of the caller's actor would stay with the actor.
        @concurrent
        private func run(_ call: ClientCall, on executor: any TaskExecutor) async {
            await withTaskExecutorPreference(executor) { await run(call) }
        }

        private func response(of ended: ClientCall) throws -> Response {
            var response = try ended.response()
            if response.envelope == nil {
                response.envelope = ended.call[HTTP.ResponseEnvelope.self]
            }
            // Few successes have a `Retry-After`, so their fields are not searched for it.
            if response.status != 200 { response.noteDate(of: ended.call.runtime) }
            return response
        }
    }
}

extension HTTP.Client: CustomStringConvertible {
    /// A drawing of the chain, with one interceptor per line.
    public var description: String { pipeline.description }
}
