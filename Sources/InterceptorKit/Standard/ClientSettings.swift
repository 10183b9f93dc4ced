extension HTTP.Client {
    /// What an app tells its client: one value that makes one.
    ///
    /// ```swift
    /// var settings = HTTP.Client.Settings(baseURL: "https://api.example.com/v1")
    /// settings.appID = "shop"
    /// settings.appVersion = "2.1"
    /// settings.deviceID = device
    /// settings.token = token
    /// settings.secret = secret
    /// let api = try HTTP.Client(settings, transport: URLSessionTransport())
    /// ```
    ///
    /// The client has the standard chain
    /// (``standard(transport:_:redirects:bodyTimeout:runtime:events:redaction:adding:)``) and in it what the
    /// settings ask for. Its description and mirror never show the token, the secret or the device.
    public struct Settings: Sendable {
        /// Where requests go: a complete URL whose path goes in front of theirs.
        public var baseURL: HTTP.URL

        /// Who the app is: a common parameter, the name in `User-Agent`, and the id of the key that signs.
        public var appID: String?
        /// The app's version: a common parameter, and in `User-Agent`.
        public var appVersion: String?
        /// On which device: a common parameter.
        public var deviceID: String?
        /// In which language, as in `de-DE`: a common parameter.
        public var locale: String?
        /// What the common parameters are called.
        public var parameterNames = ParameterNames()

        /// A bearer token that does not change, sent to the base URL's origin alone.
        public var token: String?
        /// Where tokens come from that do; in the ``token``'s place.
        public var credentials: (any CredentialSource)?
        /// Signs each attempt by HMAC-SHA256, with the ``appID`` as the key's id.
        public var secret: String?

        /// Header fields for requests that do not have them. Defaults to none.
        public var headers: HTTP.Headers = [:]
        /// Whether `POST` and `PATCH` get an idempotency key, by which they may be retried. Defaults to
        /// `false`, since servers must know it.
        public var addsIdempotencyKeys = false
        /// Whether bodies are compressed. Defaults to `false`, since servers must know it.
        public var compressesBodies = false

        /// Whether a ``LoggingInterceptor`` writes a line for each call to ``debugLog``. Defaults to
        /// `false`.
        public var isDebugging = false
        /// Where these lines go. Defaults to the standard error.
        public var debugLog: @Sendable (_ line: String) -> Void = { writeToStandardError($0) }

        /// Turns failures into errors. Defaults to the default filter; `nil` hands them to the caller.
        public var errorFilter: ErrorFilterInterceptor? = ErrorFilterInterceptor()
        /// The strategies of resilience, and their numbers.
        public var strategies = StandardSettings<HTTP.Request>()
        /// Interceptors of one's own, each put where its placement says.
        public var interceptors: [any Interceptor<HTTP.Request>] = []

        /// Creates settings.
        /// - Parameter baseURL: Where requests go: a complete http or https URL.
        public init(baseURL: HTTP.URL) { self.baseURL = baseURL }

        /// What the common parameters are called; `nil` leaves one out.
        public struct ParameterNames: Sendable, Hashable {
            /// The app's id. Defaults to `app_id`.
            public var appID: String? = "app_id"
            /// The app's version. Defaults to `app_version`.
            public var appVersion: String? = "app_version"
            /// The device's id. Defaults to `device_id`.
            public var deviceID: String? = "device_id"
            /// The language. Defaults to `locale`.
            public var locale: String? = "locale"
            /// The time the call began, in seconds since 1970. Defaults to leaving it out.
            public var timestamp: String?

            /// Creates the usual names.
            public init() {}
        }
    }

    /// Creates a client from settings.
    /// - Parameters:
    ///   - settings: What it is to do.
    ///   - transport: What carries the requests.
    ///   - runtime: The clock and chance of its calls. Defaults to the live runtime.
    ///   - events: Receives what happens to its calls. Defaults to nothing, which costs nothing.
    ///   - redaction: Decides what events show of its calls. `nil`, the default, is
    ///     ``Redaction/standard``.
    /// - Throws: A ``PipelineError`` that says in a sentence what is wrong with the settings.
    public init(
        _ settings: Settings,
        transport: some Transport<HTTP.Request>,
        runtime: Runtime = .live,
        events: (any EventSink)? = nil,
        redaction: Redaction? = nil
    ) throws(PipelineError) {
        try settings.validate()
        self = try .standard(
            transport: transport,
            settings.strategies,
            runtime: runtime,
            events: events,
            redaction: redaction
        ) {
            settings.shaping(on: runtime)
            settings.authentication
            settings.interceptors
        }
    }
}

extension HTTP.Client.Settings: CustomStringConvertible {
    /// The base URL and what is set, never the token, the secret or the device.
    public var description: String {
        let facts: [String?] = [
            "\(baseURL)", appID.map { "app \($0)" }, appVersion.map { "version \($0)" },
            deviceID == nil ? nil : "a device",
            token == nil && credentials == nil ? nil : "a token",
            secret == nil ? nil : "a secret", isDebugging ? "debugging" : nil,
        ]
        return "HTTP.Client.Settings(\(facts.compactMap(\.self).joined(separator: ", ")))"
    }
}

extension HTTP.Client.Settings: CustomReflectable {
    /// The same, so that `dump` and debuggers show no more than `description`.
    public var customMirror: Mirror { Mirror(self, children: ["settings": description]) }
}
