/// What the server is told.
struct NginxConfiguration: CustomStringConvertible {
    let port: UInt16
    /// Whether the server starts as root, and would otherwise become a user who may not read its files.
    let isRoot: Bool

    private var hundred: String { String(repeating: "0123456789", count: Nginx.hundredSize / 10) }

    var description: String {
        """
        \(isRoot ? "user root;" : "")
        daemon off;
        worker_processes auto;
        pid nginx.pid;
        error_log stderr crit;
        events { worker_connections 4096; }
        http {
            access_log off;
            default_type application/octet-stream;
            sendfile on;
            tcp_nopush on;
            tcp_nodelay on;
            open_file_cache max=16 inactive=1h;
            keepalive_requests 1000000000;
            keepalive_timeout 1h;
            send_timeout 1h;
            client_header_timeout 1h;
            client_body_timeout 1h;
            client_max_body_size 0;
            client_body_buffer_size 1m;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            # One request a minute: all but the first wait.
            limit_req_zone $binary_remote_addr zone=held:64k rate=1r/m;
            server {
                listen 127.0.0.1:\(port) backlog=1024;
                root files;
                # Only with a number in the query; a field without a value is left out.
                add_header X-Number $arg_number;
                location = /hundred { return 200 "\(hundred)"; }
                location = /held { limit_req zone=held burst=1000000000; }
                location /uploads/ { dav_methods PUT; }
            }
        }

        """
    }
}
