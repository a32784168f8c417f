import './global-setup';

// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default async function globalTeardown(): Promise<void> {
  await globalThis.sendonceTestServers?.stop();
  globalThis.sendonceTestServers = undefined;
}
