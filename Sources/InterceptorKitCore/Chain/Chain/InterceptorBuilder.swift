/// A result builder for lists of interceptors, with `if`, `else`, `switch`, `for`, arrays and nested groups.
@resultBuilder
public enum InterceptorBuilder<Input: Interceptable> {
    /// Wraps one interceptor in a list.
    public static func buildExpression(
        _ interceptor: some Interceptor<Input>
    ) -> [any Interceptor<Input>] {
        [interceptor]
    }

    /// Passes on a list of interceptors of different types.
    public static func buildExpression(
        _ interceptors: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        interceptors
    }

    /// Passes on a list of interceptors of one type.
    public static func buildExpression(
        _ interceptors: [some Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        interceptors
    }

    /// Joins the parts of a block.
    public static func buildBlock(
        _ parts: [any Interceptor<Input>]...
    ) -> [any Interceptor<Input>] {
        parts.flatMap(\.self)
    }

    /// Supports `if` without `else`.
    public static func buildOptional(
        _ part: [any Interceptor<Input>]?
    ) -> [any Interceptor<Input>] {
        part ?? []
    }

    /// Supports the first branch of an `if` or `switch`.
    public static func buildEither(
        first part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }

    /// Supports the other branches of an `if` or `switch`.
    public static func buildEither(
        second part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }

    /// Supports `for` loops.
    public static func buildArray(
        _ parts: [[any Interceptor<Input>]]
    ) -> [any Interceptor<Input>] {
        parts.flatMap(\.self)
    }

    /// Supports availability checks.
    public static func buildLimitedAvailability(
        _ part: [any Interceptor<Input>]
    ) -> [any Interceptor<Input>] {
        part
    }
}
