import Expectations
import InterceptorKit
import InterceptorKitSigning
import TestSupport
import Testing

@Suite("Event.Name")
struct EventNameTests {
    /// Logs, dashboards and alerts look for these.
    @Test(
        "keeps its published text",
        arguments: [
            (.callBegan, "call.began"),
            (.callEnded, "call.ended"),
            (.entered, "stage.entered"),
            (.left, "stage.left"),
            (.failed, "stage.failed"),
            (.cancelled, "stage.cancelled"),
            (.attemptBegan, "attempt.began"),
            (.attemptEnded, "attempt.ended"),
            (.waitBegan, "wait.began"),
            (.waitEnded, "wait.ended"),
            (.bodySent, "request_body.sent"),
            (.bodyBegan, "response_body.began"),
            (.bodyReceived, "response_body.received"),
            (.bodyEnded, "response_body.ended"),
            (.retryScheduled, "retry.scheduled"),
            (.retryStopped, "retry.stopped"),
            (.credentialAttached, "credential.attached"),
            (.credentialRejected, "credential.rejected"),
            (.refreshStarted, "credential.refresh_started"),
            (.refreshEnded, "credential.refresh_ended"),
            (.signed, "signature.added"),
            (.signatureWithheld, "signature.withheld"),
            (.errorMapped, "error.mapped"),
            (.errorRecovered, "error.recovered"),
            (.refreshDiscarded, "credential.refresh_discarded"),
            (.sessionEnded, "credential.session_ended"),
            (.clockSkewLearned, "signature.clock_skew_learned"),
            (.signatureBroken, "signature.broken"),
            (.signatureRequested, "signature.requested"),
            (.signatureRefused, "signature.refused"),
            (.hedgeSent, "hedge.sent"),
            (.hedgeWithheld, "hedge.withheld"),
            (.hedgeDecided, "hedge.decided"),
        ] as [(Event.Name, String)]
    )
    func pinned(name: Event.Name, text: String) {
        expectEqual(name.description, text)
    }
}
