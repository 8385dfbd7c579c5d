import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** How often requests are found that take too long; milliseconds. */
const CHECK_EVERY_MS = 500;

/** The queues of all open connections of this process. */
const queues = new Set<RequestQueue>();
let checking: ReturnType<typeof setInterval> | undefined;

/**
 * Lets a connection with nothing to send sleep. In kafkajs 2.2.4 each queue of requests looks for waiting ones again and
 * again, every millisecond, also where none is waiting: `scheduleCheckPendingRequests` sets a timer of a negative length.
 * Each connection of an idle process then costs some 3 % of a core. A request that must wait sets the timer itself.
 * Beside that each queue looks ten times a second for requests that take too long. Here all queues of a process are
 * looked at together, twice a second.
 */
export function letIdleConnectionsSleep(): void {
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleIfSomeWait() {
    if (this.pending.length > 0) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function checkWithAllOthers() {
    if (!this.enforceRequestTimeout) return;
    queues.add(this);
    checking ??= setInterval(checkAll, CHECK_EVERY_MS).unref();
  };
}

function checkAll(): void {
  const now = Date.now();
  for (const queue of queues) {
    for (const request of queue.inflight.values()) {
      if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
    }
    if (!queue.isConnected()) queues.delete(queue);
  }
  if (queues.size > 0) return;
  clearInterval(checking);
  checking = undefined;
}
