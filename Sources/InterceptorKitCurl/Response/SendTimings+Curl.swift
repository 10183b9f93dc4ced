import CInterceptorKitCurl
import InterceptorKit

extension HTTP.SendTimings {
    /// Creates timings from libcurl's times until the first byte, each counted from the beginning.
    init(_ easy: Easy) {
        func time(_ info: Int) -> Duration { .microseconds(easy.size(info)) }
        let ready = time(IKCURL_INFO_PRETRANSFER_TIME)
        self.init(firstByte: max(.zero, time(IKCURL_INFO_STARTTRANSFER_TIME) - ready))
        guard easy.number(IKCURL_INFO_NUM_CONNECTS) > 0 else { return }
        let named = time(IKCURL_INFO_NAMELOOKUP_TIME)
        let connected = time(IKCURL_INFO_CONNECT_TIME)
        nameLookup = named
        connect = max(.zero, connected - named)
        // It is zero without TLS.
        let secured = time(IKCURL_INFO_APPCONNECT_TIME)
        if secured > connected { tls = secured - connected }
    }
}
