extension HTTP.Client {
    /// The settings of an app's client.
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
    /// (``standard(_:transport:redirects:bodyTimeout:runtime:events:redaction:envelope:adding:)``) and the interceptors
    /// for these settings. The description and mirror never show the token, the secret or the device.
    public struct Settings: Sendable {
        /// The base URL: a complete URL whose path precedes that of each request.
        public var baseURL: HTTP.URL

        /// The app's ID: a common parameter, the product name in `User-Agent`, and the ID of the signing key.
        public var appID: String?
        /// The app's version: a common parameter, and in `User-Agent`.
        public var appVersion: String?
        /// The device's ID: a common parameter.
        public var deviceID: String?
        /// The language, as in `de-DE`: a common parameter.
        public var locale: String?
        /// The names of the common parameters.
        public var parameterNames = ParameterNames()

        /// A bearer token that does not change, sent only to the base URL's origin.
        public var token: String?
        /// The credential source, for tokens that change. Settings that also have a ``token`` are invalid.
        public var credentials: (any CredentialSource)?
        /// The secret that signs each attempt with HMAC-SHA256, with ``appID`` as the key's ID.
        public var secret: String?

        /// The header fields to add to requests that lack them. Defaults to none.
        public var headers: HTTP.Headers = [:]
        /// Whether `POST` and `PATCH` requests get an idempotency key, so that they can be retried. Defaults to
        /// `false`, because the server must support it.
        public var addsIdempotencyKeys = false
        /// Whether request bodies are compressed. Defaults to `false`, because the server must support it.
        public var compressesBodies = false

        /// Whether calls are written to ``debugLog``. Defaults to `false`.
        ///
        /// Each send has a block for the request as the transport gets it, with the complete URL and all header fields,
        /// and a block for the response. Each call has a line with its outcome. The call's ``Call/redaction`` hides
        /// tokens, signatures and other secrets; the device's ID is shown.
        public var isDebugging = false
        /// The detail of each send's record while debugging. Defaults to header fields and the sizes of bodies;
        /// `.bodies` adds the beginning of the bodies.
        public var debugDetail = LoggingInterceptor.Detail.fields
        /// A closure that writes the records while debugging. Defaults to standard error.
        public var debugLog: @Sendable (_ line: String) -> Void = { writeToStandardError($0) }

        /// The filter that turns failures into errors; `nil` returns failed responses to the caller. Defaults to the
        /// default filter.
        public var errorFilter: ErrorFilterInterceptor? = ErrorFilterInterceptor()
        /// The service's envelope: where a body says whether a call worked, and what codes mean. Defaults to none.
        public var envelope: HTTP.ResponseEnvelope?
        /// The resilience strategies and their numbers.
        public var strategies = StandardSettings<HTTP.Request>()
        /// Your own interceptors, each of which goes to its place.
        public var interceptors: [any Interceptor<HTTP.Request>] = []

        /// Creates settings.
        /// - Parameter baseURL: A complete http or https URL.
        public init(baseURL: HTTP.URL) { self.baseURL = baseURL }

        /// The names of the common parameters; set one to `nil` to leave it out.
        public struct ParameterNames: Sendable, Hashable {
            /// The name of the app's ID. Defaults to `app_id`.
            public var appID: String? = "app_id"
            /// The name of the app's version. Defaults to `app_version`.
            public var appVersion: String? = "app_version"
            /// The name of the device's ID. Defaults to `device_id`.
            public var deviceID: String? = "device_id"
            /// The name of the language. Defaults to `locale`.
            public var locale: String? = "locale"
            /// The name of the call's start in seconds since 1970. Defaults to `nil`.
            public var timestamp: String?

            /// Creates the default names.
            public init() {}
        }
    }

    /// Creates a client from settings.
    /// - Parameters:
    ///   - settings: The settings.
    ///   - transport: The transport that sends the requests.
    ///   - runtime: The clock and random source of the calls. Defaults to the live runtime.
    ///   - events: The sink for the events of the calls. Defaults to none, which costs nothing.
    ///   - redaction: Decides which data of the calls events show. `nil`, the default, is ``Redaction/standard``.
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
            settings.preparation(on: runtime) + settings.authentication + settings.interceptors,
            transport,
            settings.strategies,
            runtime: runtime,
            events: events,
            redaction: redaction,
            envelope: settings.envelope
        )
    }
}

extension HTTP.Client.Settings: CustomStringConvertible {
    /// The base URL and the settings in use, without the token, the secret and the device.
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
    /// The description, so that `dump` and debuggers show no more.
    public var customMirror: Mirror { Mirror(self, children: ["settings": description]) }
}
