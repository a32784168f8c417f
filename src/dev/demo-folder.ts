import { resolve } from 'node:path';

/** The demo's data; survives everything but its deletion. */
export const DEMO_FOLDER = resolve(process.env['SENDONCE_DATA_DIR'] ?? '.sendonce');
