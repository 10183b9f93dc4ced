#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Refuses responses that are not what was asked for: another media type, missing fields or members, a
/// shape of your own to check.
///
/// ```swift
/// ResponseValidationInterceptor(
///     contentTypes: ["application/json"],
///     fields: ["ETag"],
///     members: ["data.items"]
/// )
/// ```
///
/// Only successful responses (2xx) are checked; what another status means is for an
/// ``ErrorFilterInterceptor`` to say, unless you say here which. The media type and the members of
/// a response that has no content are not asked for. What is refused is thrown as a
/// ``ResponseError`` that names the flaw, its body released; the body of what passes is still
/// there to be read.
///
/// Put it inside an error filter, which names its errors too, and outside of retries, which judge
/// responses by status.
public struct ResponseValidationInterceptor: Interceptor {
    /// Throws what the caller shall see if a response is not as it should be.
    ///
    /// `content` is the response's JSON; `nil` if it is none or longer than is looked into.
    public typealias Check =
        @Sendable (_ response: HTTP.Response, _ content: JSONValue?) async throws -> Void

    private let statuses: ClosedRange<Int>?
    private let expectation: ResponseExpectation
    private let reader: FailureReader
    private let check: Check?

    /// Creates an interceptor.
    /// - Parameters:
    ///   - statuses: Which statuses are no failure, as `200...299`; others are refused as by an
    ///     error filter. Defaults to all, which leaves them to that.
    ///   - contentTypes: The media types accepted, as in `application/json` or `text/*`. Defaults to all.
    ///   - fields: The header fields that must be there. Defaults to none.
    ///   - members: The paths of the members that must be there and not `null`: names separated by dots,
    ///     numbers for places in arrays. With any, the content must be JSON. Defaults to none.
    ///   - bodyLimit: How much content is looked into, in bytes; with `members`, longer content is
    ///     refused. Defaults to 1 MiB.
    ///   - bodyTimeout: How long is waited for it; the call's deadline counts too. Defaults to 10 s.
    ///   - check: A check of your own, asked last. Defaults to none.
    public init(
        statuses: ClosedRange<Int>? = nil,
        contentTypes: [String] = [],
        fields: [String] = [],
        members: [String] = [],
        bodyLimit: Int = 1 << 20,
        bodyTimeout: Duration = .seconds(10),
        check: Check? = nil
    ) {
        self.statuses = statuses
        expectation = ResponseExpectation(
            contentTypes: contentTypes,
            fields: fields,
            members: members
        )
        reader = FailureReader(limit: max(0, bodyLimit), timeout: bodyTimeout)
        self.check = check
    }

    public var placement: Placement? { .responseValidation }

    public nonisolated(nonsending) func intercept(
        chain: InterceptorChain<HTTP.Request>
    ) async throws -> HTTP.Response {
        let response = try await chain.proceed()
        if statuses?.contains(response.status.code) == false,
            let error = try await reader.failure(of: response, isAccepted: false, chain)
        {
            throw error
        }
        guard response.status.isSuccess else { return response }
        do {
            try await validate(response, chain.call)
        } catch {
            await response.discard(on: chain.call.runtime)
            throw error
        }
        return response
    }

    private nonisolated(nonsending) func validate(
        _ response: HTTP.Response,
        _ call: Call
    ) async throws {
        if let flaw = expectation.flaw(in: response) { throw refusal(response, flaw, call) }
        let needsMembers = response.hasContent && !expectation.members.isEmpty
        guard needsMembers || check != nil else { return }
        let seen = try await reader.beginning(of: response, call)
        if let failure = seen.failure { throw failure }
        let content = seen.json
        if needsMembers, let flaw = expectation.flaw(in: content, seen) {
            throw refusal(response, flaw, call, seen)
        }
        try await check?(response, content)
    }

    private func refusal(
        _ response: HTTP.Response,
        _ flaw: ResponseExpectation.Flaw,
        _ call: Call,
        _ seen: HTTP.Body.Beginning? = nil
    ) -> ResponseError {
        ResponseError(
            flaw.code,
            response,
            body: seen?.bytes ?? response.body.inMemory?.prefix(reader.limit) ?? Data(),
            flaw: flaw.text,
            classification: .permanent("response validation: \(flaw.code)"),
            date: call.runtime.date
        )
    }
}
