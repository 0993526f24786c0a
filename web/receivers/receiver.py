# Run: WEBHOOK_SECRET=whsec_... python3 receiver.py
import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
PORT = int(os.environ.get("PORT", "8080"))
MAX_AGE_S = 5 * 60
if not KEY:
    raise SystemExit("WEBHOOK_SECRET is not a secret of an endpoint.")


def is_signed(headers, body: bytes) -> bool:
    """Whether the body was signed with the secret, at most five minutes ago."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > MAX_AGE_S:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # After a rotation of the secret, a delivery has two signatures for a day.
    signatures = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(given, expected) for given in signatures)


# Use your database instead: a table with the id as a unique key, and the body.
handled = set()
lock = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_signed(self.headers, body):
            self.send_response(400)
            self.end_headers()
            return
        delivery_id = self.headers["webhook-id"]
        with lock:
            is_new = delivery_id not in handled
            handled.add(delivery_id)
        self.send_response(204)
        self.end_headers()

        # Do the work after the answer. If your server stops before that, it finds the delivery in its table.
        if is_new:
            event = json.loads(body)
            # One string with its end of line, because threads print at the same time.
            print(f"{delivery_id} {event['event']} {event['data'].get('status')}\n", end="", flush=True)

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
