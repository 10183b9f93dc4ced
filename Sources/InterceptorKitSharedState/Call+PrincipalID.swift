import InterceptorKit

extension Call {
    /// Returns the id of the caller.
    /// - Parameter setting: The setting that could name the caller in another way.
    /// - Throws: A `SettingError` if nobody has verified the caller: callers without a name would share what is another's.
    func principalID(for setting: String) throws(SettingError) -> String {
        guard let principal else {
            throw SettingError(
                setting,
                is: "absent for a call without a principal",
                mustBe: "given where no interceptor above says who calls",
                "Put this interceptor below the one that verifies the caller, or give a closure that names callers."
            )
        }
        return principal.id
    }
}
