import type { SendonceClient } from '../../client/connect-client';
import { PROVIDER_NAME } from '../../providers/stripe/stripe-contract';

const PROVIDER = { kind: 'provider', name: PROVIDER_NAME } as const;

/** As a person would who is told that something is wrong at the provider. */
export async function pauseProvider({ pauses }: SendonceClient, by: string): Promise<void> {
  await pauses.pause(PROVIDER, { by, note: 'The provider has an incident.' });
}

export async function resumeProvider({ pauses }: SendonceClient): Promise<void> {
  await pauses.resume(PROVIDER);
}
