# SPDX-License-Identifier: BSD-3-Clause
"""Pages in Chromium without a window, over the pipe of its debugging protocol.

    with Browser() as browser:
        browser.open(path, has_scripts=True)
        browser.resize(800)
        browser.evaluate("document.title")
        browser.messages        what the pages have logged
        browser.screenshot(path)
"""
import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HEIGHT = 1000


def find_browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        to_browser, self.requests = os.pipe()
        self.answers, from_browser = os.pipe()
        # It reads descriptor 3, and writes 4.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c",
             f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", find_browser(),
             "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-extensions", "--disable-background-networking", "--no-first-run",
             "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session, self.messages = 0, b"", None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"]
                      if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        os.close(self.requests)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        """What a page complains of."""
        method, what = event.get("method"), event.get("params", {})
        if method == "Log.entryAdded" and what["entry"]["level"] in ("warning", "error"):
            self.messages.append(what["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.messages.append(what["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("warning", "error"):
            self.messages.append(str(what["args"]))

    def wait_for(self, is_it):
        while True:
            message = self.read()
            self.note(message)
            if is_it(message):
                return message

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        number = self.number
        answer = self.wait_for(lambda message: message.get("id") == number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def resize(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT,
                  deviceScaleFactor=1, mobile=False)

    def open(self, path, has_scripts=True):
        self.call("Emulation.setScriptExecutionDisabled", value=not has_scripts)
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.wait_for(lambda message: message.get("method") == "Page.loadEventFired")

    def evaluate(self, expression):
        """By the debugger, whether or not the page has scripts."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def screenshot(self, path):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        Path(path).write_bytes(base64.b64decode(picture["data"]))
