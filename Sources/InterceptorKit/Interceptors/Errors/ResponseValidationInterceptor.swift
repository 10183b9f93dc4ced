#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Refuses unexpected responses: another media type, missing fields or members, or a shape that your own check rejects.
///
/// ```swift
/// ResponseValidationInterceptor(
///     contentTypes: ["application/json"],
///     fields: ["ETag"],
///     members: ["data.items"]
/// )
/// ```
///
/// Only successful responses (2xx) are checked; other statuses are left to an ``ErrorFilterInterceptor``, unless you
/// set `statuses`. Without content, media type and members are not checked. A refused response is thrown as a
/// ``ResponseError`` that names the flaw, and its body is released. The body of an accepted response can still be read.
///
/// Put it inside an error filter, which also maps its errors, and outside retries, which judge responses by status.
public struct ResponseValidationInterceptor: Interceptor {
    /// A closure that checks a response, and throws the error for the caller if the response is wrong.
    ///
    /// `content` is the response's JSON; `nil` if it is not JSON or is too long.
    public typealias Check =
        @Sendable (_ response: HTTP.Response, _ content: JSONValue?) async throws -> Void

    private let statuses: ClosedRange<Int>?
    private let expectation: ResponseExpectation
    private let reader: FailureReader
    private let check: Check?

    /// Creates an interceptor.
    /// - Parameters:
    /// - statuses: The accepted statuses, such as `200...299`. Defaults to all, which leaves the decision to an error
    ///   filter.
    ///   - contentTypes: The accepted media types, such as `application/json`, `text/*` or `+json`, without parameters.
    ///     A pattern that no response can match is refused when the chain is built. Defaults to all.
    ///   - fields: The required header fields. Defaults to none.
    ///   - members: The paths of the members that must exist and not be `null`: names separated by dots, numbers for
    ///     array indexes. If there are any, the content must be JSON. Defaults to none.
    ///   - bodyLimit: The largest content that is checked, in bytes; with `members`, longer content is refused.
    ///     Defaults to 1 MiB.
    ///   - bodyTimeout: The longest wait for the content; the call's deadline counts too. Defaults to 10 s.
    ///   - check: Your own check, which runs last. Defaults to none.
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

    public func validate() throws {
        for type in expectation.contentTypes {
            try SettingCheck(of: "ResponseValidationInterceptor").require(
                HTTP.isMediaTypePattern(type),
                "contentTypes",
                HTTP.printable(type),
                "a media type, type/* or a suffix such as +json"
            )
        }
    }

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
        let whole = seen.map(\.whole) ?? response.body.inMemory
        return ResponseError(
            flaw.code,
            response,
            body: seen?.bytes ?? whole?.prefix(reader.limit) ?? Data(),
            isBodyCut: (whole?.count ?? .max) > reader.limit,
            flaw: flaw.text,
            classification: .permanent("response validation: \(flaw.code)"),
            date: call.runtime.date
        )
    }
}
