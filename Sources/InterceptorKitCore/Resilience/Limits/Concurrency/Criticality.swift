/// The importance of a call when not all calls can be sent.
///
/// ```swift
/// _ = try await api.send(.get("/suggestions")) { $0.criticality = .sheddable }
/// ```
///
/// Limits with a queue send more important calls first, and reject less important calls first. The levels are those of
/// Google's "Site Reliability Engineering" (chapter 21), without its finer steps.
public enum Criticality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Work that can be skipped, such as prefetching and statistics.
    case sheddable
    /// An ordinary call.
    case normal
    /// A call that someone pays or waits for.
    case critical

    /// Orders by importance.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

private enum CallCriticality: CallKey {
    static let defaultValue = Criticality.normal
}

extension Call {
    /// The importance of this call when not all calls can be sent. Defaults to ``Criticality/normal``.
    public var criticality: Criticality {
        get { self[CallCriticality.self] }
        set { self[CallCriticality.self] = newValue }
    }
}
