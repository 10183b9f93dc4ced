import InterceptorKit

/// The ideal that strategies are measured by: it looks into the service.
///
/// It sends a request when its answer would come within the attempt's limit and the call's deadline, waits
/// for such a moment while there is time, and sends what failed again. In a fleet no client can know what the
/// others send, so each call is admitted with the probability capacity ÷ load.
struct IdealInterceptor: Interceptor {
    private let setting: LeagueStrategy.Setting
    private var scenario: Scenario { setting.backend.scenario }

    /// How often it looks whether a request would be answered, in seconds.
    private var pace: Double { scenario.limits.call / 150 }

    init(_ setting: LeagueStrategy.Setting) { self.setting = setting }

    func intercept(chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let runtime = chain.call.runtime
        if chain.call[ClassIndex.self] != nil { return try await sendAgain(chain) }
        guard isAdmitted(chain.call) else { return HTTP.Response(503) }
        let end = runtime.now.seconds + scenario.limits.call
        var attempt = 1
        while true {
            let now = runtime.now.seconds
            if isAnswered(sentAt: now, by: end) {
                let call = chain.call.withAttempt(attempt)
                let response = try? await chain.proceed(chain.input, call: call)
                if let response, response.status == .ok { return response }
                attempt += 1
            } else {
                guard now + pace < end else { return HTTP.Response(503) }
                try await runtime.sleep(for: .seconds(pace))
            }
        }
    }

    // What a class's requests come to depends on nothing but luck: so again, while there is time.
    private func sendAgain(_ chain: InterceptorChain<HTTP.Request>) async throws -> HTTP.Response {
        let runtime = chain.call.runtime
        let end = runtime.now.seconds + scenario.limits.call
        for attempt in 1... {
            let call = chain.call.withAttempt(attempt)
            let response = try? await chain.proceed(chain.input, call: call)
            if let response, response.status == .ok { return response }
            guard attempt < 10, runtime.now.seconds + pace < end else { break }
            try await runtime.sleep(for: .seconds(pace))
        }
        return HTTP.Response(503)
    }

    private func isAdmitted(_ call: Call) -> Bool {
        guard setting.clients > 1 else { return true }
        let now = call.runtime.now.seconds
        var capacity = scenario.capacity(at: now)
        if scenario.isImpaired(at: now), scenario.rateLimit > 0 {
            capacity = min(capacity, scenario.rateLimit)
        }
        // A pause is over before a call is.
        if scenario.pause.length > 0, !scenario.isDown, capacity == 0 { return true }
        let drawn = LeagueDraw.fraction(setting.seed, UInt64(call[CallNumber.self]), 77)
        return drawn < capacity / scenario.load(at: now)
    }

    private func isAnswered(sentAt now: Double, by end: Double) -> Bool {
        guard !scenario.isSilent(at: now) else { return false }
        guard let done = setting.backend.completion(at: now) else { return false }
        let isImpaired = scenario.isImpaired(at: now)
        let latency = isImpaired ? scenario.impairedLatency : scenario.latency
        let answer = done + latency + scenario.jitter
        return answer <= min(now + scenario.limits.attempt, end)
    }
}
