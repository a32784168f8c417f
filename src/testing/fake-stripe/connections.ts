import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

const HOST = '127.0.0.1';

/** The listening socket and everything connected to it: what can be refused and accepted again on the same port. */
export class Connections {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port: number;

  constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get host(): string {
    return HOST;
  }

  /** The port that was taken; the one asked for before the first `accept`. */
  get port(): number {
    return this.#port;
  }

  /** Listens. Rejects where the port is taken. Does nothing while it listens already. */
  async accept(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, HOST);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes the port and destroys every connection: clients get ECONNREFUSED, those waiting for an answer a hang-up. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
