import { randomUUID } from 'node:crypto';
import type { SendonceClient } from '../../client/connect-client';
import type { SessionRef } from '../../conversations/refs';
import { CUSTOMER, SHOP_TENANT } from '../shop/demo-order';

/** One conversation of a run. */
export interface Chat {
  /** Says it, and waits for what the agent answers. `requestKey`: of a message that arrives more than once, or twice. */
  say(text: string, options?: { readonly requestKey?: string }): Promise<void>;
  /** Of the turn that runs, or that ended last; null before the first. */
  workflowId(): string | null;
}

/** Who speaks: the shop's usual customer, unless it is somebody else or elsewhere. */
export interface Speaker {
  readonly tenant?: string;
  readonly customer?: string;
}

/** The conversations of a run, in the order they were opened. */
export class Chats {
  readonly #client: SendonceClient;
  readonly #orderId: string;
  readonly #sessions: SessionRef[] = [];
  #workflowId = '';

  constructor(client: SendonceClient, orderId: string) {
    this.#client = client;
    this.#orderId = orderId;
  }

  get sessions(): readonly SessionRef[] {
    return this.#sessions;
  }

  /** Of the last turn that ended. */
  get workflowId(): string {
    return this.#workflowId;
  }

  open({ tenant = SHOP_TENANT, customer = CUSTOMER }: Speaker = {}): Chat {
    const ref = { tenant, sessionId: `chat-${this.#orderId}-${randomUUID().slice(0, 8)}` };
    this.#sessions.push(ref);
    const session = this.#client.session({ ...ref, customer });
    let messages = 0;
    let running: string | null = null;
    return {
      say: async (text, { requestKey = `message-${++messages}` } = {}) => {
        const turn = await session.start(text, { requestKey });
        running = turn.workflowId;
        const { workflowId } = await turn.result();
        this.#workflowId = workflowId;
      },
      workflowId: () => running,
    };
  }
}
