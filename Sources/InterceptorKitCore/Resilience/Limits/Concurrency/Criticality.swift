/// How important a call is when not all can be sent: the important call goes first.
///
/// ```swift
/// _ = try await api.send(.get("/suggestions")) { $0.criticality = .sheddable }
/// ```
///
/// Limits with a queue send more important calls first and reject less important ones first. The levels are
/// those of Google's "Site Reliability Engineering" (chapter 21), without its finer steps.
public enum Criticality: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Work that can be left undone: prefetching, statistics.
    case sheddable
    /// The usual call.
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
    /// How important this call is when not all can be sent. Defaults to ``Criticality/normal``.
    public var criticality: Criticality {
        get { self[CallCriticality.self] }
        set { self[CallCriticality.self] = newValue }
    }
}
