/// Settings that can be validated before use.
protocol CheckedPolicy {
    func validate() throws(SettingError)
}

extension CheckedPolicy {
    /// The reason why these settings cannot work; `nil` if they can.
    var problem: SettingError? {
        do {
            try validate()
            return nil
        } catch {
            return error
        }
    }
}
