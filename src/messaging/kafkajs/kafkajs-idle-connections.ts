import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/**
 * Lets a connection with nothing to send sleep. In kafkajs 2.2.4 each queue of requests looks for waiting ones again and
 * again, every millisecond, also where none is waiting: `scheduleCheckPendingRequests` sets a timer of a negative length.
 * Each connection of an idle process then costs some 3 % of a core. A request that must wait sets the timer itself.
 */
export function letIdleConnectionsSleep(): void {
  const { prototype } = RequestQueue;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleIfSomeWait() {
    if (this.pending.length > 0) schedule.call(this);
  };
}
