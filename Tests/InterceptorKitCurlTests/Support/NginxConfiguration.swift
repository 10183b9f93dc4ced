import Foundation

/// What an ``Nginx`` is told.
struct NginxConfiguration {
    let ports: [Int]
    let folder: URL
    let certificates: Certificates

    private var socketPath: String { folder.appending(path: "socket").path }

    var text: String {
        func site(_ site: Nginx.Site, _ options: String, _ directives: String) -> String {
            """
            server {
              listen 127.0.0.1:\(ports[site.rawValue]) \(options);
              \(directives)
              location / { return 200 "$server_protocol $ssl_client_s_dn"; }
              location /connection { return 200 "$connection"; }
              location /length {
                client_max_body_size 0;
                proxy_pass http://127.0.0.1:\(ports[Nginx.Site.plain.rawValue])/echo;
              }
              location /echo { return 200 "$http_content_length"; }
              location /large { root \(folder.path); }
              location /upload { client_max_body_size 0; return 413 "no"; }
              location /small { client_max_body_size 0; root \(folder.path); error_page 405 =200 /small; }
              location /posted { access_log posted executed; proxy_pass http://127.0.0.1:\(ports[Nginx.Site.plain.rawValue])/echo; }
            }
            """
        }
        func tls(_ certificate: String, _ key: String = "server.key") -> String {
            "ssl_certificate \(certificates.path(certificate)); "
                + "ssl_certificate_key \(certificates.path(key));"
        }
        return """
            daemon off;
            master_process off;
            worker_processes 1;
            pid nginx.pid;
            error_log error crit;
            error_log stderr notice;
            events { worker_connections 256; }
            http {
              access_log off;
              log_format executed $args;
              client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;
              uwsgi_temp_path tmp; scgi_temp_path tmp;
              server { listen unix:\(socketPath); location / { return 200 "socket $http_host"; } }
              \(site(.plain, "", ""))
              \(site(.prior, "http2", ""))
              \(site(.good, "ssl http2", tls("server.pem")))
              \(site(.shortLived, "ssl http2", tls("server.pem") + " keepalive_requests 4;"))
              \(site(.otherName, "ssl", tls("other.pem")))
              \(site(.expired, "ssl", tls("expired.pem")))
              \(site(.selfSigned, "ssl", tls("self.pem", "self.key")))
              \(site(.clientWanted, "ssl", tls("server.pem") + " ssl_client_certificate \(certificates.path("ca.pem")); "
                + "ssl_verify_client on;"))
            }
            """
    }
}
