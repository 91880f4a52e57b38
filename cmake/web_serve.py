"""web_serve.py FOLDER [PORT]: serves the browser edition to this machine alone."""
import functools
import http.server
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}

    def log_message(self, *arguments):
        pass


folder, port = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8321
try:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=folder))
except OSError:  # somebody has that port
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
print(f"Stridescope is at http://127.0.0.1:{server.server_port}/ until Ctrl-C is pressed here.", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    print()
