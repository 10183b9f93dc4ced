/// Settings that can be checked before anything works by them.
protocol CheckedPolicy {
    func validate() throws(SettingError)
}

extension CheckedPolicy {
    /// Why these settings cannot work; `nil` if they can.
    var problem: SettingError? {
        do {
            try validate()
            return nil
        } catch {
            return error
        }
    }
}
