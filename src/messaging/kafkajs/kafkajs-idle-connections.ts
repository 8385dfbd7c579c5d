import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** How often a queue looks for requests that take too long; milliseconds. */
const CHECK_EVERY_MS = 500;

/**
 * Lets a connection with nothing to send sleep. In kafkajs 2.2.4 each queue of requests looks for waiting ones again and
 * again, every millisecond, also where none is waiting: `scheduleCheckPendingRequests` sets a timer of a negative length.
 * Each connection of an idle process then costs some 3 % of a core. A request that must wait sets the timer itself.
 * Beside that each queue looks ten times a second for requests that take too long, where twice will do.
 */
export function letIdleConnectionsSleep(): void {
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleIfSomeWait() {
    if (this.pending.length > 0) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function scheduleTwiceASecond() {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    this.requestTimeoutIntervalId = setInterval(() => {
      const now = Date.now();
      for (const request of this.inflight.values()) {
        if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
      }
      if (!this.isConnected()) this.destroy();
    }, CHECK_EVERY_MS);
  };
}
