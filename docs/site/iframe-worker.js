// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Browsers start no workers for pages from disk, so the site's search then runs in a frame. Material for MkDocs expects
// the name IFrameWorker.
"use strict";

if (location.protocol === "file:")
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      this.ready = new Promise((done, fail) => {
        script.onload = done;
        script.onerror = fail;
      });
      frame.contentDocument.body.append(script);
    }
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", {data})));
    }
    terminate() { this.inner.frameElement.remove(); }
  };
