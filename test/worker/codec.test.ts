// Needs Postgres and Temporal.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import { CountingProvider } from '../support/counting-provider';
import { historyText, payloadBytes } from '../support/history';
import { payOut } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

/** AES-256-GCM over whole payloads, as teams do that do not let Temporal's server read them. */
class EncryptingCodec implements PayloadCodec {
  readonly #key = randomBytes(32);
  encoded = 0;

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      this.encoded++;
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
      const plain = JSON.stringify(asTexts(payload));
      const data = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return { metadata: { [METADATA_ENCODING_KEY]: Buffer.from('binary/encrypted') }, data };
    });
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      const encoding = Buffer.from(payload.metadata?.[METADATA_ENCODING_KEY] ?? []).toString();
      if (encoding !== 'binary/encrypted') return payload;
      const data = Buffer.from(payload.data ?? []);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, data.subarray(0, 12));
      decipher.setAuthTag(data.subarray(-16));
      return asBytes(Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]).toString());
    });
  }
}

function asTexts({ metadata, data }: Payload): unknown {
  const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  return {
    data: text(data),
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([key, value]) => [key, text(value)])),
  };
}

function asBytes(json: string): Payload {
  const { data, metadata }: { data: string; metadata: Record<string, string> } = JSON.parse(json);
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return {
    data: bytes(data),
    metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, bytes(value)])),
  };
}

const codec = new EncryptingCodec();
const rigs = turnRigs({ dataConverter: { payloadCodecs: [codec] } });

describe('a data converter with an encrypting codec', () => {
  test('goes through worker and client: the turn works, and its history shows no session and no operation', async () => {
    const provider = new CountingProvider();
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ results }) =>
        results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' },
    });
    const { workflowId, text } = await rig.say('Pay Anna.');
    expect(text).toBe('Paid.');
    expect(provider.sends).toEqual(['payout-anna']);
    expect(codec.encoded).toBeGreaterThan(5);
    const history = await rig.history(workflowId);
    expect(payloadBytes(history)).toBeGreaterThan(0);
    for (const secret of ['maxSteps', 'payout-anna', 'already_done', 'externalId', 'po_1']) {
      expect(historyText(history)).not.toContain(secret);
    }
  });
});
