extension Group {
    /// Every group. Simulations come last, since the first of them changes where tasks are put.
    static let all =
        [events, chains, interceptors, retry, hop, client, signing, digests]
        + [cacheHits, cacheReads, serving, served] + engines + simulations
}
