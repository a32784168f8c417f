import { randomUUID } from 'node:crypto';
import type { SendonceClient } from '../../client/connect-client';
import type { SessionRef } from '../../conversations/refs';
import { CUSTOMER, SHOP_TENANT } from '../shop/demo-order';

/** One conversation of a run. */
export interface Chat {
  /** Says it, and waits for what the agent answers. */
  say(text: string): Promise<void>;
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
    return {
      say: async (text) => {
        const { workflowId } = await session.say(text, { requestKey: `message-${++messages}` });
        this.#workflowId = workflowId;
      },
    };
  }
}
