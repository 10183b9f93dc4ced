extension Call {
    /// The call that the current task serves: set by what answers requests through a chain, for those
    /// that run below it and cannot be handed the call; `nil` where none is served.
    ///
    /// A `ServedCallInterceptor` makes a client's calls part of it.
    @TaskLocal public static var served: Call?
}
