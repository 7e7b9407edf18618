"""A cache over HTTP in memory, which misbehaves on demand.

    cache.py [CERTIFICATE]    serves on a free port of loopback until its standard input ends

Each line of its input is a query, and is answered by a line of JSON with the port, the requests so far (method, path,
credential) and `depth`, the longest chain of requests of which each began after the one before had been answered:

    fault=NAME&moment=MOMENT&delay=SECONDS    what the next requests get; their count begins anew
    clear=1                                   empties the cache
    save=1, load=1                            remembers all that it has; has just that again
    rename=FILE&to=FILE                       renames a file with the next request
    log                                       changes nothing

The moments: `before`: the fault meets the whole answer, from the first request on. `within`: it comes in the middle of a body,
or, for a status, with the first blob. `after`: the first two requests are answered well.
"""

import json
import os
import socketserver
import ssl
import sys
import threading
import time
from urllib.parse import parse_qs

STATUSES = {
    "unauthorized": "401 Unauthorized",
    "forbidden": "403 Forbidden",
    "too-large": "413 Content Too Large",
    "failing": "500 Internal Server Error",
    "busy": "503 Service Unavailable",
    "redirect": "302 Found",
}


class State:
    def __init__(self):
        self.lock = threading.Lock()
        self.content, self.saved = {}, {}
        self.fault, self.moment, self.delay, self.count = "none", "before", 0.0, 0
        self.log, self.depth = [], 0
        self.rename = None


STATE = State()


class Handler(socketserver.StreamRequestHandler):
    timeout = 30
    disable_nagle_algorithm = True

    def handle(self):
        try:
            while self.one():
                pass
        except (OSError, ValueError):
            pass

    def one(self):
        line = self.rfile.readline(65536).decode()
        if not line:
            return False
        method, target, _ = line.split()
        headers = {}
        while (line := self.rfile.readline(65536).decode().strip()):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        path = target
        with STATE.lock:
            self.depth = STATE.depth + 1
            STATE.count += 1
            count, fault, moment, delay = STATE.count, STATE.fault, STATE.moment, STATE.delay
            STATE.log.append(f"{method} {path} {headers.get('authorization', '-')}")
            if STATE.rename:
                os.replace(*STATE.rename)
                STATE.rename = None
        if delay:
            time.sleep(delay)
        isBlob = "/cas/" in path
        if moment == "after" and count <= 2:
            fault = "none"
        if fault in STATUSES and moment == "within" and not isBlob:
            fault = "none"
        if fault == "silent" and moment != "within":
            time.sleep(20)
            return False
        if fault == "down" and moment != "within":
            return False
        length = int(headers.get("content-length", 0))
        if fault in ("down", "silent") and method == "PUT":
            self.rfile.read(length // 2)
            if fault == "silent":
                time.sleep(20)
            return False
        if fault in STATUSES:
            if not (fault == "too-large" and method != "PUT"):
                self.rfile.read(length)
                more = {"busy": "Retry-After: 1\r\n", "redirect": "Location: https://elsewhere.example/x\r\n"}
                return self.answer(STATUSES[fault], b"no\n", more.get(fault, ""))
        if method == "PUT":
            body = self.rfile.read(length)
            with STATE.lock:
                STATE.content[path] = body
            return self.answer("201 Created", b"")
        with STATE.lock:
            body = STATE.content.get(path)
        if fault == "login":
            return self.answer("200 OK", b"<html><form>please log in</form></html>", "Content-Type: text/html\r\n")
        if fault == "endless" and method == "GET":
            return self.endless(body or b"", moment)
        if body is None or fault == "lost" and isBlob:
            return self.answer("404 Not Found", b"")
        if method == "HEAD":
            return self.answer("200 OK", body, sends=False)
        if fault == "wrong-bytes":
            place = len(body) // 2 if moment == "within" else 0
            body = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :] if body else b"x"
        if fault in ("down", "silent", "truncated"):
            self.answer("200 OK", body, sends=False)
            self.wfile.write(body[: len(body) // 2] if moment == "within" else body[:1])
            self.wfile.flush()
            if fault == "silent":
                time.sleep(20)
            return False
        if fault == "wrong-length":
            shorter = moment != "within"
            self.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body) + (-1 if shorter else 7)}\r\n\r\n".encode() + body)
            return False
        if fault == "slow":
            self.answer("200 OK", body, sends=False)
            for index in range(len(body)):
                self.wfile.write(body[index : index + 1])
                self.wfile.flush()
                time.sleep(0.2)
            return True
        return self.answer("200 OK", body)

    def answer(self, status, body, more="", sends=True):
        with STATE.lock:
            STATE.depth = max(STATE.depth, self.depth)
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode()
        self.wfile.write(head + (body if sends else b""))
        self.wfile.flush()
        return True

    def endless(self, body, moment):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        self.wfile.write(body[: len(body) // 2] if moment == "within" else b"")
        piece = b"x" * 65536
        while True:
            self.wfile.write(piece)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, address):
        pass


def control(line, port):
    query = parse_qs(line)
    get = lambda name, other: query.get(name, [other])[0]
    with STATE.lock:
        if "fault" in query:
            STATE.fault, STATE.moment = get("fault", ""), get("moment", "before")
            STATE.delay = float(get("delay", "0"))
            STATE.count, STATE.log, STATE.depth = 0, [], 0
        if "rename" in query:
            STATE.rename = get("rename", ""), get("to", "")
        if "save" in query:
            STATE.saved = dict(STATE.content)
        if "load" in query:
            STATE.content = dict(STATE.saved)
        if "clear" in query:
            STATE.content = {}
        return json.dumps({"port": port, "log": STATE.log, "depth": STATE.depth})


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for line in sys.stdin:
        print(control(line.strip(), server.server_address[1]), flush=True)


main()
