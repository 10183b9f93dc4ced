#if Configuration
public import InterceptorKit

extension Event.Name {
    /// New settings are in use: `keys` whose values changed.
    public static let settingsReplaced: Self = "settings.replaced"
    /// A configuration was refused, and the settings before it stay in use: `keys` that can't work,
    /// `error.type`, `error.message`.
    public static let settingsRefused: Self = "settings.refused"
}
#endif
