import InterceptorKit
import TestSupport
import Testing

@Suite("Pipeline")
struct PipelineTests {
    private let recorder = Recorder<String>()

    private func marker(_ name: String, _ placement: Placement?) -> Marker<Int> {
        Marker(name, recorder, placement: placement)
    }

    @Test("refuses signing outside a retry, and names the consequence and the fix")
    func misordered() {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                RetryInterceptor(policy: .standard)
            }
        }

        #expect(error?.code == .order)
        #expect(
            error?.message
                == "RetryInterceptor is inside SignInterceptor: a retried request would carry "
                + "the first attempt's signature and date. Put RetryInterceptor before "
                + "SignInterceptor, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
    }

    @Test("refuses two retrying interceptors, whose attempts would multiply")
    func repeated() {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) {
                RetryInterceptor(policy: .standard)
                CompositeInterceptor("inner") { RetryInterceptor(policy: .standard) }
            }
        }

        #expect(error?.code == .repeated)
        #expect(
            error?.message
                == "RetryInterceptor and RetryInterceptor are in one chain: their attempts "
                + "would multiply. Keep one, or mark the one that is meant to stand there with "
                + "unordered(because:)."
        )
    }

    @Test(
        "refuses every inversion of the standard order",
        arguments: [
            (Placement.token, Placement.redirect), (.token, .retry), (.circuitBreaker, .retry),
            (.attemptTimeout, .retry), (.retry, .totalTimeout), (.retry, .errorFilter),
            (.token, .requestShaping), (.signing, .token), (.signing, .compression),
            (.token, .cache), (.chaos, .signing), (.rateLimit, .circuitBreaker),
            (.cookies, .redirect),
            (.cookies, .retry), (.cookies, .token), (.signing, .cookies),
        ]
    )
    func inversions(outer: Placement, inner: Placement) {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) {
                marker("outer", outer)
                marker("inner", inner)
            }
        }

        #expect(error?.code == .order)
        #expect(error?.message.hasPrefix("Marker is inside Marker: ") == true)
    }

    @Test(
        "names for each inversion what would go wrong",
        arguments: [
            (.signing, .hedge, "would carry the first attempt's signature and date"),
            (.signing, .redirect, "would carry a signature made for another target"),
            (.signing, .token, "the credential would be added after the signature"),
            (.signing, .compression, "would be over another body than the one that is sent"),
            (.signing, .requestShaping, "the request would be changed after it was signed"),
            (.token, .hedge, "would carry the first attempt's credential"),
            (.token, .redirect, "would carry the first origin's credential"),
            (.token, .requestShaping, "would see a request without its base URL"),
            (.token, .cache, "would not be kept apart by credential"),
            (.token, .responseValidation, "would be refused before the token is renewed"),
            (.cookies, .redirect, "would carry the cookies of the first target"),
            (.cookies, .token, "would carry the cookies of the first attempt"),
            (.circuitBreaker, .hedge, "would see one outcome for all attempts"),
            (.attemptTimeout, .hedge, "would cover all attempts and the waits between them"),
            (.totalTimeout, .callerDeadline, "would not know of a caller who waits for less"),
            (.hedge, .totalTimeout, "would start anew with each attempt"),
            (.hedge, .fallback, "would judge mapped errors instead of the responses"),
            (.retry, .responseValidation, "would judge refusals instead of the responses"),
            (.responseValidation, .errorFilter, "would reach the caller past the error filter"),
            (.hedge, .idempotencyKey, "each attempt would carry a key of its own"),
            (.retry, .requestShaping, "would be made anew for each"),
            (.coalescing, .requestShaping, "would be taken for equal before all that tells them"),
            (.redirect, .requestShaping, "would be added to each redirect's target too"),
            (.hedge, .concurrencyLimit, "would queue for a permit again with each attempt"),
            (.compression, .requestShaping, "would be changed after it was encoded and digested"),
            (.chaos, .retry, "injected faults would bypass what handles the network's"),
            (.rateLimit, .cache, "the standard order has cache outside rate limit"),
        ] as [(Placement, Placement, String)]
    )
    func consequences(outer: Placement, inner: Placement, consequence: String) {
        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) {
                marker("outer", outer)
                marker("inner", inner)
            }
        }

        #expect(error?.message.contains(consequence) == true, "\(error?.message ?? "")")
    }

    @Test("accepts the standard order, and request shaping in several places")
    func standardOrder() throws {
        let order: [Placement] = [
            .callTelemetry, .requestShaping, .errorFilter, .fallback, .totalTimeout,
            .concurrencyLimit, .idempotencyKey, .requestShaping, .coalescing, .redirect, .cache,
            .retry, .token, .cookies, .circuitBreaker, .rateLimit, .attemptTimeout,
            .attemptTelemetry,
            .compression, .cookies, .signing, .chaos,
        ]

        let pipeline = try Pipeline(
            order.map { marker("m", $0) as any Interceptor<Int> },
            transport: Echo<Int>()
        )

        #expect(pipeline.interceptors.count == order.count)
    }

    @Test("accepts a deliberate exception and shows its reason")
    func exception() throws {
        let pipeline = try Pipeline(transport: Discarding()) {
            SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
                .unordered(because: "the gateway accepts one signature for all attempts")
            RetryInterceptor(policy: .standard)
        }

        #expect(
            pipeline.description.contains(
                "SignInterceptor, unordered because the gateway accepts one signature for all attempts"
            )
        )
    }

    @Test("reports an interceptor's invalid setting, with its error as cause")
    func invalidSetting() {
        var policy = RetryPolicy<Int>.standard
        policy.maxAttempts = 0

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { RetryInterceptor(policy: policy) }
        }

        #expect(error?.code == .invalidSetting)
        #expect(error?.cause is SettingError)
        #expect(
            error?.message
                == "RetryInterceptor cannot work as configured: RetryPolicy.maxAttempts is 0 and has to "
                + "be at least 1. It counts the first send."
        )
        #expect(error?.description == error?.message)
    }

    @Test("reports a literal that isn't a URL or origin when it is built")
    func invalidLiterals() {
        let url = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) { BaseURLInterceptor("api.example.com") }
        }
        let origin = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Discarding()) {
                TokenInterceptor(
                    source: FixedCredential(.bearer("t")),
                    origins: ["https://api.example.com/v1"]
                )
            }
        }

        #expect(url?.cause as? HTTP.RequestError != nil)
        #expect(origin?.message.contains("is not an origin") == true)
    }

    @Test("refuses a container that contains itself, also when it is added")
    func endlessNesting() throws {
        struct Endless: Interceptor {
            var group: InterceptorGroup<Int>? { InterceptorGroup([self]) }
            func intercept(chain: InterceptorChain<Int>) async throws -> Int { 0 }
        }

        let error = #expect(throws: PipelineError.self) {
            try Pipeline(transport: Echo<Int>()) { Endless() }
        }
        let pipeline = try Pipeline(transport: Echo<Int>()) { Adding(amount: 1) }
        let added = #expect(throws: PipelineError.self) { try pipeline.adding([Endless()]) }

        #expect(error?.code == .nesting)
        #expect(added?.code == .nesting)
    }

    @Test("draws its chain as a diagram")
    func drawing() throws {
        let pipeline = try Pipeline(transport: Discarding()) {
            BaseURLInterceptor("https://api.example.com")
            RetryInterceptor(policy: .standard)
            CompositeInterceptor("partner", when: { _, _ in true }) {
                SignInterceptor(.hmacSHA256(keyID: "k", secret: "s"))
            }
        }

        #expect(
            pipeline.description == """
                input ↓                                   ↑ output
                  │ BaseURLInterceptor · request shaping
                  │ RetryInterceptor · retry
                  ├ partner (conditional)
                    │ SignInterceptor · signing
                  ═ Discarding
                """
        )
    }

    @Test("inserts added interceptors by placement, in the pinned precedence")
    func adding() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            marker("filter", .errorFilter)
            marker("plain", nil)
            marker("retry", .retry)
            marker("sign", .signing)
        }

        let joined = try pipeline.adding {
            marker("added plain", nil)
            marker("added token", .token)
            marker("added filter", .errorFilter)
            marker("added sign", .signing)
            marker("added plain too", nil)
        }
        _ = try await joined.run(1)

        #expect(
            recorder.entries.filter { $0.hasSuffix(">") } == [
                "filter>", "plain>", "added filter>", "retry>", "added plain>", "added token>",
                "added plain too>", "sign>", "added sign>",
            ]
        )
    }

    @Test("inserts an added container where its first member belongs")
    func addingContainer() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) {
            marker("limit", .totalTimeout)
            marker("retry", .retry)
        }

        let joined = try pipeline.adding {
            CompositeInterceptor("both") {
                marker("added filter", .errorFilter)
                marker("added limit", .totalTimeout)
            }
        }
        _ = try await joined.run(1)

        #expect(
            recorder.entries.filter { $0.hasSuffix(">") } == [
                "added filter>", "added limit>", "limit>", "retry>",
            ]
        )
    }

    @Test("validates the joined list, and leaves the original pipeline unchanged")
    func addingIsChecked() async throws {
        let pipeline = try Pipeline(transport: Echo<Int>()) { RetryInterceptor(policy: .standard) }

        #expect(throws: PipelineError.self) {
            try pipeline.adding { RetryInterceptor(policy: .standard) }
        }
        #expect(pipeline.interceptors.count == 1)
    }

    @Test("reports entering and leaving each stage, and skips inactive containers")
    func events() async throws {
        let sink = Sink()
        let pipeline = try Pipeline(transport: Echo<Int>(), events: sink) {
            Adding(amount: 1)
            CompositeInterceptor("never", when: { _, _ in false }) { Adding(amount: 100) }
            AnyInterceptor("closure") { chain in try await chain.proceed() }
        }

        let output = try await pipeline.run(1)

        #expect(output == 2)
        #expect(
            sink.recorder.entries == [
                "call.began call", "stage.entered Adding", "stage.entered closure",
                "stage.entered Echo", "stage.left Echo", "stage.left closure",
                "stage.left Adding", "call.ended call",
            ]
        )
    }

    @Test("reports the type of an error that a stage throws")
    func failedEvents() async throws {
        let sink = Sink()
        let pipeline = try Pipeline(
            transport: Echo<Int> { _, _ in throw Problem() },
            events: sink
        ) { Adding(amount: 1) }

        await #expect(throws: Problem()) { try await pipeline.run(1) }

        #expect(
            sink.recorder.entries == [
                "call.began call", "stage.entered Adding", "stage.entered Echo",
                "stage.failed Echo Problem", "stage.failed Adding Problem",
                "call.ended call Problem",
            ]
        )
    }
}

private struct Sink: EventSink {
    let recorder = Recorder<String>()

    func record(_ event: Event) {
        let type = event.attributes["error.type"].map { " \($0)" } ?? ""
        recorder.note("\(event.name) \(event.source)\(type)")
    }
}
