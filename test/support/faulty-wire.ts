import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Which direction of a half-open network carries nothing. */
export type Swallowed = 'to-server' | 'from-server';

/** What a server of Postgres says last: it is ready, and in no transaction. So the commit was carried out. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

interface Wire {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes were swallowed on it: what comes later must not either, or the stream would have a hole. */
  readonly lost: Set<Swallowed>;
  /** What the client has said since the server spoke last. */
  said: string;
}

/**
 * A wire to a server on this machine that can be cut, swallow one direction, or end a connection between a commit and its
 * confirmation.
 */
export class FaultyWire {
  /** Connections that were refused while the wire was cut. */
  refused = 0;
  /** Connections on which something was swallowed. */
  swallowed = 0;
  /** Commits whose confirmation was cut off, by what `cutAfter` named them. */
  readonly unconfirmed = new Set<string>();
  readonly #listener: Server;
  readonly #wires = new Set<Wire>();
  readonly #target: { readonly host: string; readonly port: number };
  #isCut = false;
  #swallowing: Swallowed | null = null;
  #commitOf: ((said: string) => string | null) | null = null;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#listener = createServer((client) => this.#open(client));
  }

  static async to(host: string, port: number): Promise<FaultyWire> {
    const wire = new FaultyWire({ host, port });
    wire.#listener.listen(0, '127.0.0.1');
    await once(wire.#listener, 'listening');
    return wire;
  }

  get port(): number {
    const address = this.#listener.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Breaks every connection, and refuses new ones until it is mended. */
  cut(): void {
    this.#isCut = true;
    for (const { client, server } of this.#wires) {
      client.destroy();
      server.destroy();
    }
  }

  /** From now on, on old and new connections alike, this direction carries nothing. Connections are made and stay. */
  swallow(direction: Swallowed): void {
    this.#swallowing = direction;
  }

  /** New connections are taken and new bytes pass again; a connection that has lost some stays dead. */
  mend(): void {
    this.#isCut = false;
    this.#swallowing = null;
  }

  /** Cuts a connection of Postgres, once for each name, where `commitOf` gives a name to what the client has said. */
  cutAfter(commitOf: (said: string) => string | null): void {
    this.#commitOf = commitOf;
  }

  async close(): Promise<void> {
    this.cut();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #open(client: Socket): void {
    if (this.#isCut) {
      this.refused++;
      client.destroy();
      return;
    }
    const server = connect(this.#target);
    const wire: Wire = { client, server, lost: new Set(), said: '' };
    this.#wires.add(wire);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on('error', () => undefined);
    server.on('error', () => undefined);
    client.on('data', (bytes) => this.#fromClient(wire, bytes));
    server.on('data', (bytes) => this.#fromServer(wire, bytes));
    client.on('close', () => {
      // Neither the end of a connection is heard where nothing is.
      if (!this.#loses(wire, 'to-server')) server.destroy();
    });
    server.on('close', () => {
      this.#wires.delete(wire);
      if (!this.#loses(wire, 'from-server')) client.destroy();
    });
  }

  #fromClient(wire: Wire, bytes: Buffer): void {
    if (this.#loses(wire, 'to-server')) return;
    if (this.#commitOf !== null) wire.said += bytes.toString('latin1');
    wire.server.write(bytes);
  }

  #fromServer(wire: Wire, bytes: Buffer): void {
    if (this.#loses(wire, 'from-server')) return;
    if (this.#isCutOff(wire, bytes)) return;
    wire.client.write(bytes);
  }

  #isCutOff(wire: Wire, bytes: Buffer): boolean {
    if (this.#commitOf === null) return false;
    const { said } = wire;
    const name = said === '' ? null : this.#commitOf(said);
    const isReady = bytes.subarray(-READY.length).equals(READY);
    if (isReady) wire.said = '';
    if (name === null || this.unconfirmed.has(name)) return false;
    if (isReady) {
      this.unconfirmed.add(name);
      wire.client.resetAndDestroy();
      wire.server.destroy();
    }
    return true;
  }

  #loses(wire: Wire, direction: Swallowed): boolean {
    if (wire.lost.has(direction)) return true;
    if (this.#swallowing !== direction) return false;
    if (wire.lost.size === 0) this.swallowed += 1;
    wire.lost.add(direction);
    return true;
  }
}
