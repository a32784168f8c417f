import type { IncomingMessage } from 'node:http';

/**
 * The answer's whole text. Rejects for a body that is cut, reset, longer than `maxBytes` or not UTF-8. A body that
 * ends with the connection cannot be told from a cut one here (docs/providers/stripe.md): its JSON then does not parse.
 */
export function collectBody(message: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    message.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else message.destroy(new Error(`it is longer than ${maxBytes} bytes`));
    });
    message.on('error', reject);
    // Not every cut body gives an error (stripe/stripe-node#2814), and 'close' comes in every case.
    message.on('close', () => reject(new Error('it is cut')));
    message.on('end', () => {
      if (!message.complete) return reject(new Error('it is cut'));
      try {
        resolve(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
  });
}
