import { connect } from 'node:net';

/** Opens a stream of an event's score, and closes it when its first message has come. @returns milliseconds */
export function firstStreamMessage(port: number, key: string, eventId: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1', () => {
      const path = `/v1/events/${eventId}/stream`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (piece: string) => {
      text += piece;
      if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 500)));
      if (!/\r\n\r\n[\s\S]*(event|data):[\s\S]*\n\n/.test(text)) return;
      socket.destroy();
      resolve(performance.now() - began);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`the stream ended: ${text.slice(0, 500)}`)));
  });
}
