import { z } from 'zod';
import { SettingInvalidError } from '../settings';
import type { DemoOptions } from './demo';

const PORTS = {
  postgres: ['SENDONCE_POSTGRES_PORT', 54_329],
  temporal: ['SENDONCE_TEMPORAL_PORT', 7_233],
  temporalUi: ['SENDONCE_TEMPORAL_UI_PORT', 8_233],
  stripe: ['SENDONCE_STRIPE_PORT', 12_111],
} as const;

const Port = z.coerce.number().int().min(1).max(65_535);

/** The ports of `npm start`, which a person may move. Throws SettingInvalidError. */
export function demoPorts(env: Readonly<Record<string, string | undefined>>): NonNullable<DemoOptions['ports']> {
  const port = ([name, usual]: readonly [string, number]) => {
    const parsed = Port.safeParse(env[name] ?? usual);
    if (parsed.success) return parsed.data;
    throw new SettingInvalidError(
      name,
      `is ${JSON.stringify(env[name])}. Set it to a port, 1 to 65535, or leave it out.`,
    );
  };
  return {
    postgres: port(PORTS.postgres),
    temporal: port(PORTS.temporal),
    temporalUi: port(PORTS.temporalUi),
    stripe: port(PORTS.stripe),
  };
}
