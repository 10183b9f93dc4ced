/// A result builder for lists of interceptors, with `if`, `else`, `switch`, `for`, arrays and nested groups.
@resultBuilder
public enum InterceptorBuilder<Input: Interceptable> {
    /// One interceptor.
    public static func buildExpression(
        _ interceptor: some Interceptor<Input>
    ) -> [any Interceptor<Input>] {
        [interceptor]
    }

    /// A list of interceptors of different types.
    public static func buildExpression(
        _ interceptors: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        interceptors
    }

    /// A list of interceptors of one type.
    public static func buildExpression(
        _ interceptors: [some Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        interceptors
    }

    /// A block.
    public static func buildBlock(
        _ parts: [any Interceptor<Input>]...
    ) -> [any Interceptor<Input>] {
        parts.flatMap(\.self)
    }

    /// An `if` without `else`.
    public static func buildOptional(
        _ part: [any Interceptor<Input>]?
    ) -> [any Interceptor<Input>] {
        part ?? []
    }

    /// The first branch of an `if` or `switch`.
    public static func buildEither(
        first part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }

    /// Another branch of an `if` or `switch`.
    public static func buildEither(
        second part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }

    /// A `for` loop.
    public static func buildArray(
        _ parts: [[any Interceptor<Input>]]
    ) -> [any Interceptor<Input>] {
        parts.flatMap(\.self)
    }

    /// An availability check.
    public static func buildLimitedAvailability(
        _ part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }
}
