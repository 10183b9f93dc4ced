extension HTTP.Client.Settings {
    /// Throws if the settings are invalid. The strategies and interceptors are validated when the client is made.
    public func validate() throws(PipelineError) {
        do {
            try baseURL.validate()
        } catch {
            throw refusal("The baseURL cannot be one. \(error)")
        }
        let texts = [
            ("appID", appID), ("appVersion", appVersion), ("deviceID", deviceID), ("token", token),
            ("secret", secret), ("locale", locale),
        ]
        for (name, text) in texts where text?.isEmpty == true {
            throw refusal("The \(name) is empty. Set it to nil if there is none.")
        }
        if token != nil && credentials != nil {
            throw refusal(
                "There are both a token and credentials, and a request can carry one alone. Set one of "
                    + "them to nil."
            )
        }
        if secret != nil && appID == nil {
            throw refusal(
                "There is a secret to sign with and no appID, by which the server knows whose it is. Set "
                    + "the appID."
            )
        }
        let names = [
            parameterNames.appID, parameterNames.appVersion, parameterNames.deviceID,
            parameterNames.locale, parameterNames.timestamp,
        ].compactMap(\.self)
        if names.contains("") || Set(names).count < names.count {
            throw refusal(
                "Two common parameters have one name, or one has none. Give each its own."
            )
        }
    }

    private func refusal(_ sentences: String) -> PipelineError {
        PipelineError(.invalidSetting, sentences)
    }
}
