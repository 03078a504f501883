# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium that opens files, answers questions and takes pictures.

It speaks the DevTools protocol over two pipes, so it only requires the browser:
Debian's package chromium.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The path of a browser, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Browser:
    """One browser with one tab. Use it as a context manager."""

    def __init__(self, seconds=60):
        self.seconds = seconds
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.errors = []
        self.requests = []
        self.events = []
        self.number = 0
        self.buffer = b""

    def __enter__(self):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def give():
            # Copies first: the numbers may overlap.
            low, high = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(low, 3)
            os.dup2(high, 4)

        command = [find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                   "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=give, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = ours_in, ours_out
        self.session = None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:  # a machine under load
            self.process.kill()
            self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.folder.cleanup()

    def read(self, until):
        """The next message; fails after `until`."""
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.input, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        """Records violations of a page: errors, and requests outside its file."""
        method, values = message.get("method"), message.get("params", {})
        if method:
            self.events.append(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(values["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.errors.append(str(values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        until = time.monotonic() + self.seconds
        while True:
            answer = self.read(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def size(self, width, height=900, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def system_theme(self, theme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, path):
        """Opens a file and waits until all scripts have run."""
        self.errors.clear()
        self.requests.clear()
        self.events.clear()
        until = time.monotonic() + self.seconds
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while "Page.loadEventFired" not in self.events:
            self.read(until)
        self.frames()

    def frames(self):
        """Waits until pending changes are drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def run(self, script):
        """The value of an expression; a Promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def key(self, key, text=None):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text or ("\r" if key == "Enter" else "")} if kind == "keyDown" and (text or key == "Enter") else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEY_CODES.get(key, 0), **extra)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def drag(self, start, end):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for step in (0.3, 0.7, 1):
            x, y = (a + (b - a) * step for a, b in zip(start, end))
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left")
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def picture(self, path, whole=True, clip=None):
        """A PNG of the page, its visible part, or {x, y, width, height}."""
        options = {"format": "png", "captureBeyondViewport": whole or clip is not None}
        if clip:
            options["clip"] = {**clip, "scale": 1}
        elif whole:
            area = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {"x": 0, "y": 0, "width": area["width"], "height": area["height"], "scale": 1}
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **options)["data"]))


KEY_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
             "ArrowDown": 40, "Backspace": 8, "PageUp": 33, "PageDown": 34}
